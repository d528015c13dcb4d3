import Megaphone from 'lucide-react/icons/megaphone'
import { useState } from 'react'
import { complete } from '#web/api/complete.ts'
import { browserStorage } from '#web/browser-storage.ts'
import { announcementMessages } from '#web/messages/en-announcements.ts'
import { DISMISSED_KEY } from '#web/storage-keys.ts'
import { CloseButton } from '#web/ui/close-button.tsx'
import { Note } from '#web/ui/note.tsx'
import styles from './announcement-card.module.css'
import { behindMenu } from './behind-menu.ts'

/** As many as a browser remembers. Announcements end, so older ones cannot come back. */
const MAX_REMEMBERED = 20

const EXAMPLE = { id: '', text: '' }

/** The oldest announcement that the reader has not dismissed in this browser, above the page. */
export function AnnouncementCards({ received }: { received: unknown }) {
  const [dismissed, setDismissed] = useState(readDismissed)
  const next = complete([EXAMPLE], received).find(({ id }) => !dismissed.includes(id))
  if (!next) return null
  const dismiss = (): void => {
    const ids = [next.id, ...dismissed].slice(0, MAX_REMEMBERED)
    browserStorage.setItem(DISMISSED_KEY, ids.join(' '))
    setDismissed(ids)
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <div {...behindMenu} className={styles.place} ref={publishHeight}>
      <Note tone="info" icon={<Megaphone aria-hidden="true" />} className={styles.note}>
        <span>{next.text}</span>
        <CloseButton className={styles.close} label={announcementMessages.dismiss} onClick={dismiss} />
      </Note>
    </div>
  )
}

/** Publishes the height of the card. The absence summary moves down by it. */
function publishHeight(place: HTMLElement | null): (() => void) | undefined {
  if (!place) return
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty('--announcement-h', `${place.offsetHeight}px`))
  observer.observe(place)
  return () => {
    observer.disconnect()
    style.removeProperty('--announcement-h')
  }
}

const readDismissed = (): string[] => (browserStorage.getItem(DISMISSED_KEY) ?? '').split(' ')
