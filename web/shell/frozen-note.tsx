import Snowflake from 'lucide-react/icons/snowflake'
import { frozenMessages } from '#web/messages/en-frozen.ts'
import { formatMoment } from '#web/messages/locale.ts'
import { FREEZE_NOTE_ID, type WalletFreeze } from '#web/wallet-freeze.ts'
import { Note } from '#web/ui/note.tsx'
import styles from './frozen-note.module.css'

/** Why the player's wallet is frozen. It takes the focus when a frozen button is pressed. */
export function FrozenNote({ reason, since }: WalletFreeze) {
  return (
    <Note
      id={FREEZE_NOTE_ID}
      tabIndex={-1}
      tone="info"
      icon={<Snowflake aria-hidden="true" />}
      className={styles.note}
    >
      <strong>{frozenMessages.title}</strong> {frozenMessages.text}{' '}
      <span className={styles.reason}>{frozenMessages.reason(reason, formatMoment(since))}</span>
    </Note>
  )
}
