import warning from '#web/art/icons/warning.webp'
import { type DepositState, isCancellable, isRunning } from '#web/deposits/deposit-state.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { TermsLink } from '#web/popups/terms-link.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Note } from '#web/ui/note.tsx'
import { TransientButton } from '#web/ui/transient-button.tsx'
import styles from './deposit.module.css'

const STEPS = ['signing', 'sending', 'waiting', 'arrived'] as const

type ProgressProps = { deposit: DepositState; onCancel: () => void; sendButtonId: string }

/** Below the button, in a place of one size: the risk before a deposit, its steps, and why it was not sent. */
export function DepositProgress(props: ProgressProps) {
  const { deposit } = props
  return (
    <div className={styles.progress}>
      {/* Always there, so that a screen reader reads what appears in it. */}
      <output className={styles.result}>
        {deposit.step === 'cancelled' ? (
          <p className={styles.hint}>{depositMessages.cancelled}</p>
        ) : isRunning(deposit) ? (
          <Steps {...props} />
        ) : null}
      </output>
      {deposit.step === 'idle' || deposit.step === 'cancelled' ? (
        <p className={styles.hint}>
          {depositMessages.risk} <TermsLink />
        </p>
      ) : null}
      {deposit.step === 'failed' ? (
        <Note tone="bad" picture={warning} role="alert">
          {deposit.problem}
        </Note>
      ) : null}
    </div>
  )
}

function Steps({ deposit, onCancel, sendButtonId }: ProgressProps) {
  const at = STEPS.findIndex((step) => step === deposit.step)
  return (
    <>
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
      {isCancellable(deposit) ? (
        <TransientButton size="sm" focusAfter={sendButtonId} onClick={onCancel}>
          {depositMessages.cancel}
        </TransientButton>
      ) : null}
    </>
  )
}
