import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Note } from '#web/ui/note.tsx'
import { messages } from '#web/messages/en.ts'
import styles from './offline-note.module.css'
import { useOnline } from '#web/use-online.ts'

/** For the hero, which makes almost no calls and therefore has no ConnectionNote. */
export function OfflineNote() {
  const online = useOnline()
  return (
    <output className={styles.place}>
      {online ? null : <Note icon={<TriangleAlert aria-hidden="true" />}>{messages.errors.offlineNote}</Note>}
    </output>
  )
}
