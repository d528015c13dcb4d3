import Megaphone from 'lucide-react/icons/megaphone'
import { announcementMessages } from '#web/messages/en-announcements.ts'
import { CloseButton } from '#web/ui/close-button.tsx'
import { Note } from '#web/ui/note.tsx'
import styles from './announcement-card.module.css'
import type { CardProps } from './announcements.tsx'

/** One announcement of the operator. */
export function AnnouncementCard({ announcement, dismiss }: CardProps) {
  return (
    <Note tone="info" icon={<Megaphone aria-hidden="true" />} className={styles.note}>
      <span>{announcement.text}</span>
      <CloseButton className={styles.close} label={announcementMessages.dismiss} onClick={dismiss} />
    </Note>
  )
}
