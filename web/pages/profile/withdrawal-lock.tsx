import { useState } from 'react'
import { LOCK_HOURS } from '#contract/withdrawal-lock.ts'
import { securityMessages } from '#web/messages/en-security.ts'
import { messages } from '#web/messages/en.ts'
import { formatFullMoment } from '#web/messages/locale.ts'
import { Button } from '#web/ui/button.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { usePressOnce } from '#web/ui/press-once.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { ListFailed } from './list-failed.tsx'
import styles from './security.module.css'
import { type Lock, type LockHours, useWithdrawalLock } from './use-withdrawal-lock.ts'

const CHOICES: readonly LockHours[] = LOCK_HOURS

/** The lock on withdrawals: set at once, removed only after its own time. */
export function WithdrawalLock() {
  const { data: lock, isPending, refetch, change } = useWithdrawalLock()
  const { press, running, resting } = usePressOnce('stay-locked')
  const [chosen, setChosen] = useState<LockHours>(72)
  const [asking, setAsking] = useState<LockHours | null>(null)
  if (isPending) return <Loading text={messages.loading} />
  if (!lock) return <ListFailed text={securityMessages.lockFailed} retry={refetch} />

  const own = CHOICES.find((hours) => hours === lock.hours) ?? 24
  return (
    <section className={styles.part} aria-labelledby="lock-title">
      <h3 className={styles.heading} id="lock-title">
        {securityMessages.lock}
      </h3>
      <output className={styles.text}>{describe(lock)}</output>
      <div className={styles.lock}>
        <label className={styles.field}>
          <span>{securityMessages.lockLabel}</span>
          <select
            value={chosen}
            onChange={({ target }) =>
              setChosen(CHOICES.find((hours) => String(hours) === target.value) ?? 72)
            }
          >
            {CHOICES.map((hours) => (
              <option key={hours} value={hours}>
                {securityMessages.wait(hours)}
              </option>
            ))}
          </select>
        </label>
        <Button
          size="sm"
          movesValue
          tone="leaf"
          ariaDisabled={chosen === (lock.next ?? lock).hours}
          onClick={() => setAsking(chosen)}
        >
          {lock.hours === 0 ? securityMessages.lockSet : securityMessages.lockChange}
        </Button>
        {lock.next ? (
          <Button
            movesValue
            size="sm"
            busy={running}
            resting={resting}
            onClick={() => press(() => change(own))}
          >
            {securityMessages.stayLocked}
          </Button>
        ) : lock.hours > 0 ? (
          <Button movesValue size="sm" onClick={() => setAsking(0)}>
            {securityMessages.unlock}
          </Button>
        ) : null}
      </div>
      {asking !== null ? (
        <ConfirmDialog
          {...questionOf(lock, asking)}
          back={securityMessages.back}
          confirm={() => change(asking)}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </section>
  )
}

/** What a change of the lock does, and the name of the button that does it. */
export function questionOf({ hours }: Lock, asked: LockHours) {
  const text = securityMessages
  const action = asked === 0 ? text.unlock : hours === 0 ? text.lockSet : text.lockChange
  return asked < hours
    ? { title: text.weakenConfirm, text: text.weakenConfirmText(text.wait(hours)), action }
    : { title: text.lockConfirm, text: text.lockConfirmText(text.wait(asked)), action }
}

function describe({ hours, next }: Lock): string {
  if (hours === 0) return securityMessages.lockOff
  const now = securityMessages.lockOn(securityMessages.wait(hours))
  if (!next) return now
  const moment = formatFullMoment(next.at)
  const then =
    next.hours === 0
      ? securityMessages.lockEnds(moment)
      : securityMessages.lockShortens(securityMessages.wait(next.hours), moment)
  return `${now} ${then}`
}
