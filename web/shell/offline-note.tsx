import { useSyncExternalStore } from 'react'
import warning from '#web/art/icons/warning.webp'
import { Note } from '#web/ui/note.tsx'
import { words } from '#web/words/en.ts'
import styles from './offline-note.module.css'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

export function OfflineNote() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <output className={styles.place}>
      {online ? null : <Note picture={warning}>{words.errors.offline}</Note>}
    </output>
  )
}
