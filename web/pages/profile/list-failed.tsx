import warning from '#web/art/icons/warning.webp'
import { Note } from '#web/ui/note.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import styles from './profile.module.css'

/** Replaces a list that could not be loaded. */
export function ListFailed({ text, retry }: { text: string; retry: () => unknown }) {
  return (
    <div className={styles.list}>
      <Note tone="bad" picture={warning} role="alert">
        {text}
      </Note>
      <div className={styles.foot}>
        <RetryButton block onClick={() => void retry()} />
      </div>
    </div>
  )
}
