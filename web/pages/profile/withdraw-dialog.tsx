import { type ReactNode, useState } from 'react'
import { shown } from '#game/cotton.ts'
import { useSession } from '#web/api/session.ts'
import { useBalance } from '#web/api/use-balance.ts'
import hourglass from '#web/art/icons/hourglass.webp'
import info from '#web/art/icons/info.webp'
import outbox from '#web/art/icons/outbox.webp'
import warning from '#web/art/icons/warning.webp'
import { TermsLink } from '#web/popups/terms-link.tsx'
import { AmountField } from '#web/ui/amount-field.tsx'
import { asTyped, typedAmount } from '#web/messages/amount.ts'
import { Button } from '#web/ui/button.tsx'
import { Coins } from '#web/ui/coins.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Note } from '#web/ui/note.tsx'
import { shortAddress } from '#web/ui/short-address.ts'
import { withdrawalWords } from '#web/messages/en-withdrawals.ts'
import { words } from '#web/messages/en.ts'
import { shownMoment } from '#web/messages/locale.ts'
import { problemWith } from './problem-with.ts'
import styles from './profile.module.css'
import { useWithdraw } from './use-withdraw.ts'
import { useWithdrawable, type Withdrawable } from './use-withdrawals.ts'
import { WithdrawMeter } from './withdraw-meter.tsx'

export function WithdrawDialog({ onClose }: { onClose: () => void }) {
  const { walletAddress } = useSession()
  const balance = useBalance()
  const limits = useWithdrawable()
  const pause = limits.data?.pause
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const { withdraw, step, resting, failure } = useWithdraw(onClose)

  const confirm = (): void => {
    const amount = typedAmount(typed)
    const found = problemWith(amount, limits.data)
    setProblem(found)
    if (amount !== null && found === null) withdraw(amount)
  }

  const confirmLabel = {
    idle: words.withdraw.confirm,
    asking: words.withdraw.asking,
    signing: words.withdraw.signing,
    sending: words.withdraw.sending,
  }[step]
  return (
    <Dialog
      wide
      title={
        <>
          <img className={styles.outbox} src={outbox} width="64" height="64" alt="" />
          {words.withdraw.confirmTitle}
        </>
      }
      ribbon={{ text: words.withdraw.title }}
      onClose={step === 'idle' ? onClose : () => undefined}
      actions={
        <div className={styles.decide}>
          <Button
            tone="leaf"
            busy={step !== 'idle'}
            resting={resting}
            disabled={limits.data?.paused}
            onClick={confirm}
          >
            {confirmLabel}
          </Button>
          <Button disabled={step !== 'idle'} onClick={onClose}>
            {words.withdraw.cancel}
          </Button>
        </div>
      }
    >
      <div className={styles.withdraw}>
        <div>
          <Facts>
            <Fact name={words.withdraw.toWallet}>{shortAddress(walletAddress ?? '')}</Fact>
            <Fact name={words.withdraw.balance}>
              <Coins>{balance === undefined ? '–' : shown(balance)}</Coins>
            </Fact>
            <Fact name={words.withdraw.now}>
              <Coins>{limits.data ? shown(limits.data.withdrawable) : '–'}</Coins>
            </Fact>
          </Facts>
          {pause ? null : (
            <div className={styles.amount}>
              <AmountField
                label={words.withdraw.amount}
                value={typed}
                onChange={setTyped}
                error={problem}
                disabled={step !== 'idle'}
                autoFocusInDialog
              >
                <Button
                  size="sm"
                  disabled={!limits.data || step !== 'idle'}
                  onClick={() => setTyped(asTyped(limits.data?.withdrawable ?? 0))}
                >
                  {words.withdraw.max}
                </Button>
              </AmountField>
            </div>
          )}
        </div>
        <div className={styles.notes}>
          {pause ? (
            <Problem>
              {words.withdraw.paused} {words.withdraw.pausedWhy(pause.reason, shownMoment(pause.since))}
            </Problem>
          ) : null}
          {failure ? <Problem>{failure}</Problem> : null}
          <Note tone="info" picture={hourglass}>
            {words.withdraw.hint}
          </Note>
          {limits.data ? <Split limits={limits.data} /> : null}
          {limits.isError ? <Problem>{words.withdraw.loadFailed}</Problem> : null}
        </div>
      </div>
      {pause ? null : <WithdrawMeter amount={typedAmount(typed)} limits={limits.data} />}
    </Dialog>
  )
}

function Problem({ children }: { children: ReactNode }) {
  return (
    <Note tone="bad" picture={warning} role="alert">
      {children}
    </Note>
  )
}

/** Where the withdrawable amount comes from, in plain words. */
function Split({ limits }: { limits: Withdrawable }) {
  const { deposited, earned, earnedToday, needsDeposit, budgetResetsAt } = limits
  return (
    <Note picture={info}>
      {words.withdraw.split(deposited, earned, Math.min(earned, earnedToday))}
      {needsDeposit && earned > 0 ? ` ${withdrawalWords.needsDeposit}` : null}
      {earned > earnedToday && !needsDeposit
        ? ` ${words.withdraw.resets(shownMoment(budgetResetsAt))}`
        : null}{' '}
      <TermsLink />
    </Note>
  )
}
