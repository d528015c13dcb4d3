import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { messages } from '#web/messages/en.ts'
import { useScrollToHash } from '#web/shell/use-scroll-to-hash.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel, type RibbonTone } from '#web/ui/frame.tsx'
import { LazyPart } from '#web/ui/lazy-part.tsx'
import { Loading } from '#web/ui/loading.tsx'
import styles from './profile.module.css'

type OnDemandPanelProps = {
  id: string
  title: string
  tone: RibbonTone
  /** What the panel contains, until it is opened. */
  text: string
  show: string
  children: ReactNode
}

/** A panel whose content loads when the player opens it, or follows a link to it. */
export function OnDemandPanel({ id, title, tone, text, show, children }: OnDemandPanelProps) {
  const isAddressed = useLocation().hash === `#${id}`
  const [wasOpened, setOpened] = useState(isAddressed)
  // It stays open at the next address of the page, with what the player has typed.
  if (isAddressed && !wasOpened) setOpened(true)
  useScrollToHash(id)
  const open = (): void => {
    setOpened(true)
    // The button disappears, so its focus moves to the title.
    document.getElementById(`${id}-title`)?.focus({ preventScroll: true })
  }
  return (
    <Panel title={title} tone={tone} id={id}>
      <div className={styles.list}>
        {wasOpened ? (
          <LazyPart loading={<Loading text={messages.loading} />}>{children}</LazyPart>
        ) : (
          <>
            <p className={styles.summary}>{text}</p>
            <Button block size="sm" onClick={open}>
              {show}
            </Button>
          </>
        )}
      </div>
    </Panel>
  )
}
