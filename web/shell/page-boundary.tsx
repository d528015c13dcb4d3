import { type ReactNode, useEffect, useState } from 'react'
import warning from '#web/art/icons/warning.webp'
import { Button } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { messages } from '#web/messages/en.ts'
import styles from './page-boundary.module.css'

/** Shows a message in place of a page that breaks or whose code fails to load. The menu stays usable. */
export function PageBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary fallback={<BrokenPage />}>{children}</ErrorBoundary>
}

function BrokenPage() {
  const { pageTitle, pageText, offline, offlinePage, reload } = messages.errors
  const [isOffline] = useState(() => !navigator.onLine)
  useEffect(() => {
    if (!isOffline) return
    const open = (): void => window.location.reload()
    window.addEventListener('online', open)
    return () => window.removeEventListener('online', open)
  }, [isOffline])
  return (
    <Frame className={styles.place} data-outage="">
      <title>{messages.title(isOffline ? offline : pageTitle)}</title>
      <Empty
        alert
        picture={<img src={warning} width="128" height="128" alt="" />}
        title={isOffline ? offline : pageTitle}
        text={isOffline ? offlinePage : pageText}
      >
        <Button onClick={() => window.location.reload()}>{reload}</Button>
      </Empty>
    </Frame>
  )
}
