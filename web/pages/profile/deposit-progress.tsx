import warning from '#web/art/icons/warning.webp'
import type { DepositState } from '#web/deposits/deposit-state.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { TermsLink } from '#web/popups/terms-link.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Note } from '#web/ui/note.tsx'
import styles from './deposit.module.css'

const STEPS = ['signing', 'sending', 'waiting', 'arrived'] as const

/** Below the button, in a place of one size: the risk before a deposit, its steps during it, and why it failed. */
export function DepositProgress({ deposit }: { deposit: DepositState }) {
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
        <Steps deposit={deposit} />
      )}
    </div>
  )
}

function Steps({ deposit }: { deposit: DepositState }) {
  const at = STEPS.findIndex((step) => step === deposit.step)
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
    </output>
  )
}
