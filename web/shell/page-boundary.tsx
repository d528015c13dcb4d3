import { Component, type ReactNode, useEffect, useState } from 'react'
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
