import Snowflake from 'lucide-react/icons/snowflake'
import type { MouseEvent } from 'react'
import { frozenMessages } from '#web/messages/en-frozen.ts'
import { messages } from '#web/messages/en.ts'
import { formatMoment } from '#web/messages/locale.ts'
import { FREEZE_NOTE_ID, type WalletFreeze } from '#web/wallet-freeze.ts'
import { Note } from '#web/ui/note.tsx'
import { pressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import styles from './frozen-note.module.css'

/** Long enough to read the operator's reason. */
const REASON_MS = 8_000

/** Why the player's wallet is frozen. It takes the focus when a frozen button is pressed. */
export function FrozenNote({ reason, since }: WalletFreeze) {
  const why = frozenMessages.reason(reason, formatMoment(since))
  const show = ({ currentTarget: note }: MouseEvent<HTMLElement>): void => {
    note.focus()
    // An open dialog makes the note inert. Its toasts say the reason then.
    if (document.activeElement === note) return
    pressOnce('frozen-reason', () =>
      showToast({ kind: 'warning', title: messages.frozen, text: why, durationMs: REASON_MS }),
    )
  }
  return (
    <Note
      id={FREEZE_NOTE_ID}
      tabIndex={-1}
      tone="info"
      icon={<Snowflake aria-hidden="true" />}
      className={styles.note}
      onClick={show}
    >
      <strong>{frozenMessages.title}</strong> {frozenMessages.text} <span>{why}</span>
    </Note>
  )
}
