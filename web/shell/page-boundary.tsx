import { Component, type ReactNode } from 'react'
import warning from '#web/art/icons/warning.webp'
import { Button } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { messages } from '#web/messages/en.ts'
import styles from './page-boundary.module.css'

/** Catches errors of a page, also of loading its code, so that the menu stays usable. */
export class PageBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children
    return <BrokenPage />
  }
}

function BrokenPage() {
  return (
    <Frame className={styles.place}>
      <title>{messages.title(messages.errors.pageTitle)}</title>
      <Empty
        alert
        picture={<img src={warning} width="128" height="128" alt="" />}
        title={messages.errors.pageTitle}
        text={navigator.onLine ? messages.errors.pageText : messages.errors.offline}
      >
        <Button onClick={() => window.location.reload()}>{messages.errors.reload}</Button>
      </Empty>
    </Frame>
  )
}
