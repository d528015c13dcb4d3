import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Cotton, formatCotton, smallerOf } from '#game/cotton.ts'
import { useSession } from '#web/api/session.ts'
import { useBalance } from '#web/api/use-balance.ts'
import hourglass from '#web/art/icons/hourglass.webp'
import info from '#web/art/icons/info.webp'
import outbox from '#web/art/icons/outbox.webp'
import warning from '#web/art/icons/warning.webp'
import { TermsLink } from '#web/popups/terms-link.tsx'
import { AmountField } from '#web/ui/amount-field.tsx'
import { formatInput, parseAmount } from '#web/messages/amount.ts'
import { Button } from '#web/ui/button.tsx'
import { Coins } from '#web/ui/coins.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Note } from '#web/ui/note.tsx'
import { shortAddress } from '#web/ui/short-address.ts'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { withdrawalMessages } from '#web/messages/en-withdrawals.ts'
import { securityMessages } from '#web/messages/en-security.ts'
import { formatFullMoment, formatMoment } from '#web/messages/locale.ts'
import { largestWithdrawal, validateAmount } from './validate-amount.ts'
import styles from './profile.module.css'
import { useWithdraw } from './use-withdraw.ts'
import { type Lock, useWithdrawalLock } from './use-withdrawal-lock.ts'
import { useWithdrawable, type Withdrawable } from './use-withdrawals.ts'
import { limitMessage, WithdrawMeter } from './withdraw-meter.tsx'

export function WithdrawDialog({ onClose }: { onClose: () => void }) {
  const { walletAddress } = useSession()
  const balance = useBalance()
  const limits = useLimits(balance)
  const pause = limits.data?.pause
  const { data: lock } = useWithdrawalLock()
  const isStopped = Boolean(pause) || (lock !== undefined && lock.hours > 0)
  const [typed, setTyped] = useState('')
  const [wasRefused, setRefused] = useState(false)
  const { withdraw, step, resting, failure, forgetFailure } = useWithdraw(onClose)
  const cancelButtonId = useId()
  const amount = parseAmount(typed)
  // A wallet may never answer. The dialog can be closed until the request is on its way.
  const isSending = step === 'sending'

  // An error is about the amount that was confirmed, not about the next one. It ends when the limits allow the amount.
  const problem = wasRefused ? validateAmount(amount, limits.data) : null
  const change = (next: string): void => {
    setTyped(next)
    setRefused(false)
    forgetFailure()
  }

  const confirm = (): void => {
    // The same error is announced again.
    flushSync(() => setRefused(false))
    // While the limits are read again, the last ones may be too low: a deposit may just be credited. The server decides.
    const found = validateAmount(amount, limits.isFetching ? undefined : limits.data)
    setRefused(found !== null)
    if (amount !== null && found === null) withdraw(amount)
  }

  const confirmLabel = {
    idle: withdrawalMessages.confirm,
    asking: withdrawalMessages.asking,
    signing: withdrawalMessages.signing,
    sending: withdrawalMessages.sending,
  }[step]
  return (
    <Dialog
      wide
      title={
        <>
          <img className={styles.outbox} src={outbox} width="64" height="64" alt="" />
          {withdrawalMessages.confirmTitle}
        </>
      }
      ribbon={{ text: withdrawalMessages.title }}
      onClose={isSending ? () => undefined : onClose}
      actions={
        <div className={styles.decide}>
          <Button
            movesValue
            tone="leaf"
            busy={step !== 'idle'}
            resting={resting}
            ariaDisabled={limits.data?.paused || isStopped}
            onClick={confirm}
          >
            {confirmLabel}
          </Button>
          <Button id={cancelButtonId} disabled={isSending} onClick={onClose}>
            {withdrawalMessages.cancel}
          </Button>
        </div>
      }
    >
      <div className={styles.withdraw}>
        <div>
          <Facts>
            <Fact name={withdrawalMessages.toWallet}>{shortAddress(walletAddress ?? '')}</Fact>
            <Fact name={withdrawalMessages.balance}>
              <Coins>{balance === undefined ? '–' : formatCotton(balance)}</Coins>
            </Fact>
            <Fact name={withdrawalMessages.now}>
              <Coins>{limits.data ? formatCotton(limits.data.withdrawable) : '–'}</Coins>
            </Fact>
          </Facts>
          {isStopped ? null : (
            <TransientAmount focusAfter={cancelButtonId}>
              <AmountField
                label={withdrawalMessages.amount}
                value={typed}
                onChange={change}
                error={problem}
                status={limits.data ? limitMessage(amount, limits.data) : null}
                disabled={step !== 'idle'}
                autoFocusInDialog
              >
                <Button
                  size="sm"
                  disabled={!limits.data || step !== 'idle'}
                  onClick={() => change(formatInput(largestWithdrawal(limits.data)))}
                >
                  {withdrawalMessages.max}
                </Button>
              </AmountField>
            </TransientAmount>
          )}
        </div>
        <div className={styles.notes}>
          {pause ? (
            <Problem>
              {withdrawalMessages.paused}{' '}
              {withdrawalMessages.pausedReason(pause.reason, formatMoment(pause.since))}
            </Problem>
          ) : null}
          {lock && lock.hours > 0 ? <Problem>{describeLock(lock)}</Problem> : null}
          {failure ? <Problem>{failure}</Problem> : null}
          <Note tone="info" picture={hourglass}>
            {withdrawalMessages.hint}
          </Note>
          {limits.data ? <Earnings limits={limits.data} /> : null}
          {limits.isError ? <Problem>{withdrawalMessages.loadFailed}</Problem> : null}
          <p className={styles.risk}>
            {withdrawalMessages.limitNotice} <TermsLink />
          </p>
        </div>
      </div>
      {isStopped ? null : <WithdrawMeter />}
    </Dialog>
  )
}

/** What can be withdrawn right now, read at once when the balance changes: a deposit may be credited meanwhile. */
function useLimits(balance: Cotton | undefined): ReturnType<typeof useWithdrawable> {
  const limits = useWithdrawable({ refresh: true })
  const { refetch } = limits
  const read = useRef(balance)
  useEffect(() => {
    if (read.current === balance) return
    read.current = balance
    void refetch()
  }, [balance, refetch])
  return limits
}

/** The amount. A lock or a pause that the dialog reads later removes it, also while the player types. */
function TransientAmount({ focusAfter, children }: { focusAfter: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, focusAfter)
  return (
    <div className={styles.amount} ref={place}>
      {children}
    </div>
  )
}

function Problem({ children }: { children: ReactNode }) {
  return (
    <Note tone="bad" picture={warning} role="alert">
      {children}
    </Note>
  )
}

const describeLock = ({ hours, next }: Lock): string =>
  next?.hours === 0
    ? securityMessages.lockedUntil(formatFullMoment(next.at))
    : securityMessages.locked(securityMessages.wait(hours))

/** How much of the earnings can be withdrawn today. Nothing for a player without earnings. */
function Earnings({ limits }: { limits: Withdrawable }) {
  const { deposited, earned, earnedToday, needsDeposit, budgetResetsAt } = limits
  if (earned === null || earned <= 0n || earnedToday === null) return null
  return (
    <Note picture={info}>
      <span>{withdrawalMessages.split(deposited, earned, smallerOf(earned, earnedToday))}</span>
      {needsDeposit ? <span> {withdrawalMessages.needsDeposit}</span> : null}
      {earned > earnedToday && !needsDeposit ? (
        <span> {withdrawalMessages.resets(formatMoment(budgetResetsAt))}</span>
      ) : null}
    </Note>
  )
}
