import { type ReactNode, useEffect, useRef, useState } from 'react'
import { playEffect } from '#web/audio/sound.ts'
import styles from './dialog-result.module.css'
import type { Outcome } from './outcome.ts'
import { OutcomeBody, outcomeClass } from './outcome-body.tsx'
import { showToast } from './toast-store.ts'

/** The number of the attempt makes a repeated refusal a new element, which is announced again. */
type NumberedOutcome = Outcome & { attempt?: number }

type DialogResultProps = {
  result: NumberedOutcome | null
  /** Shown until there is a result, so that the height of the dialog does not change. */
  children?: ReactNode
}

/** The result of the dialog's action, above its buttons. It stays until the next attempt. */
export function DialogResult({ result, children }: DialogResultProps) {
  return (
    <div className={styles.place} aria-live="polite">
      <div className={result === null ? undefined : styles.replaced}>{children}</div>
      {result ? (
        <div
          className={outcomeClass(result.kind, styles.result)}
          key={result.attempt}
          role={result.kind === 'error' ? 'alert' : undefined}
        >
          <OutcomeBody {...result} />
        </div>
      ) : null}
    </div>
  )
}

export type DialogResultState = {
  result: NumberedOutcome | null
  /** Shows the outcome in the dialog. If the dialog was closed meanwhile, a toast shows it for `durationMs`. */
  show: (outcome: Outcome & { durationMs?: number }) => void
  /** Removes the result, at the next attempt or when the input changes. */
  clear: () => void
}

/** The result of a dialog's action. Use it in the component that is mounted while the dialog is open. */
export function useDialogResult(): DialogResultState {
  const [result, setResult] = useState<NumberedOutcome | null>(null)
  const attempts = useRef(0)
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  return {
    result,
    show(outcome) {
      if (!isOpen.current) return showToast(outcome)
      if (outcome.kind === 'error') playEffect('refuse')
      attempts.current += 1
      setResult({ ...outcome, attempt: attempts.current })
    },
    clear: () => setResult(null),
  }
}
