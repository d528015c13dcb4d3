import warning from '#web/art/icons/warning.webp'
import type { DepositState } from '#web/deposits/deposit-state.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { TermsLink } from '#web/popups/terms-link.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import styles from './deposit.module.css'

const STEPS = ['signing', 'sending', 'waiting', 'arrived'] as const

type ProgressProps = { deposit: DepositState; onCancel: () => void }

/** Below the button, in a place of one size: the risk before a deposit, its steps during it, and why it failed. */
export function DepositProgress({ deposit, onCancel }: ProgressProps) {
  return (
    <div className={styles.progress}>
      {deposit.step === 'idle' ? (
        <p className={styles.hint}>
          {depositMessages.risk} <TermsLink />
        </p>
      ) : deposit.step === 'failed' ? (
        <Note tone="bad" picture={warning} role="alert">
          {deposit.problem}
        </Note>
      ) : (
        <Steps deposit={deposit} onCancel={onCancel} />
      )}
    </div>
  )
}

function Steps({ deposit, onCancel }: ProgressProps) {
  const at = STEPS.findIndex((step) => step === deposit.step)
  // A wallet may never answer.
  const isCancellable = deposit.step === 'preparing' || deposit.step === 'signing'
  return (
    <output className={styles.result}>
      <ol className={styles.steps} aria-label={depositMessages.progress}>
        {STEPS.map((step, index) => (
          <li
            key={step}
            className={classNames(index < at && styles.done, index === Math.max(at, 0) && styles.now)}
            aria-current={index === Math.max(at, 0) ? 'step' : undefined}
          >
            {depositMessages.progressSteps[step]}
          </li>
        ))}
      </ol>
      {deposit.step === 'waiting' ? (
        <p className={styles.hint}>
          {deposit.slow ? depositMessages.slow : depositMessages.waiting(deposit.amount)}
        </p>
      ) : null}
      {isCancellable ? (
        <Button size="sm" onClick={onCancel}>
          {depositMessages.cancel}
        </Button>
      ) : null}
    </output>
  )
}
