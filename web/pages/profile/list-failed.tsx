import warning from '#web/art/icons/warning.webp'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { messages } from '#web/messages/en.ts'
import styles from './profile.module.css'

/** Replaces a list that could not be loaded. */
export function ListFailed({ text, retry }: { text: string; retry: () => unknown }) {
  return (
    <div className={styles.list}>
      <Note tone="bad" picture={warning} role="alert">
        {text}
      </Note>
      <div className={styles.foot}>
        <Button block onClick={() => void retry()}>
          {messages.tryAgain}
        </Button>
      </div>
    </div>
  )
}
