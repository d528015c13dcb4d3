import { Component, type ReactNode } from 'react'
import { consoleMessages } from '#web/messages/en-console.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from './page.tsx'

/** Catches errors of a page, also of loading its code, so that the menu stays usable. */
export class PageBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children
    return (
      <Page title={consoleMessages.broken}>
        <Notice
          tone="bad"
          role="alert"
          actions={<Button onClick={() => window.location.reload()}>{consoleMessages.reload}</Button>}
        >
          {consoleMessages.brokenText}
        </Notice>
      </Page>
    )
  }
}
