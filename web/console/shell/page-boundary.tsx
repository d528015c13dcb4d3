import type { ReactNode } from 'react'
import { consoleMessages } from '#web/messages/en-console.ts'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from './page.tsx'

/** Catches errors of a page, also of loading its code, so that the menu stays usable. */
export function PageBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary fallback={<BrokenPage />}>{children}</ErrorBoundary>
}

const BrokenPage = () => (
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
