import RefreshCw from 'lucide-react/icons/refresh-cw'
import warning from '#web/art/icons/warning.webp'
import { Note } from '#web/ui/note.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { connectionMessages } from '#web/messages/en-connection.ts'
import styles from './sample-note.module.css'
import { useConnectionProblem } from './use-connection-problem.ts'

type SampleNoteProps = { title: string; text: string; retry: () => void }

/** The one message of a page that shows samples: that they are, why, and a button to retry (N-08). */
export function SampleNote({ title, text, retry }: SampleNoteProps) {
  const problem = useConnectionProblem()
  return (
    <Note tone="bad" picture={warning} role="alert" className={styles.sample} data-outage="">
      <span className={styles.text}>
        <b>{title}</b>
        <br />
        {problem ? <span>{connectionMessages.samples[problem]} </span> : null}
        <span>{text}</span>
      </span>
      <RetryButton size="sm" icon={<RefreshCw aria-hidden="true" />} onClick={retry} />
    </Note>
  )
}
