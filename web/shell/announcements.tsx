import { type ComponentType, useEffect, useState } from 'react'
import { type Announcement, useAnnouncements } from '#web/api/announcements.ts'
import { browserStorage } from '#web/browser-storage.ts'
import { DISMISSED_KEY } from '#web/storage-keys.ts'
import styles from './announcement-card.module.css'

/** As many as a browser remembers. Announcements end, so older ones cannot come back. */
const MAX_REMEMBERED = 20

/** The oldest announcement that the reader has not dismissed in this browser, above the page. */
export function Announcements() {
  const announcements = useAnnouncements()
  const [dismissed, setDismissed] = useState<readonly string[]>([])
  const gone = announcements.length > 0 ? [...dismissed, ...readDismissed()] : dismissed
  const next = announcements.find(({ id }) => !gone.includes(id))
  const isWanted = next !== undefined
  const [Card, setCard] = useState<ComponentType<CardProps>>()
  useEffect(() => {
    if (isWanted)
      import('./announcement-card.tsx').then(
        (module) => setCard(() => module.AnnouncementCard),
        () => {},
      )
  }, [isWanted])
  const dismiss = (id: string): void => {
    const ids = [id, ...gone].slice(0, MAX_REMEMBERED)
    browserStorage.setItem(DISMISSED_KEY, ids.join(' '))
    setDismissed(ids)
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <output className={styles.place}>
      {next && Card ? <Card key={next.id} announcement={next} dismiss={() => dismiss(next.id)} /> : null}
    </output>
  )
}

export type CardProps = { announcement: Announcement; dismiss: () => void }

const readDismissed = (): string[] => (browserStorage.getItem(DISMISSED_KEY) ?? '').split(' ')
