import { formatExact } from '#game/cotton.ts'
import { WITHDRAWAL_REASONS } from '#contract/withdrawal-reasons.ts'
import { serverClock } from '#web/api/server-clock.ts'
import outbox from '#web/art/icons/outbox.webp'
import { classNames } from '#web/ui/class-names.ts'
import { Panel } from '#web/ui/frame.tsx'
import { securityMessages } from '#web/messages/en-security.ts'
import { withdrawalMessages } from '#web/messages/en-withdrawals.ts'
import { messages } from '#web/messages/en.ts'
import { formatPastMoment } from '#web/messages/past-moment.ts'
import { CancelWithdrawal } from './cancel-withdrawal.tsx'
import { ListFailed } from './list-failed.tsx'
import styles from './profile.module.css'
import { ShowMore } from './show-more.tsx'
import { TransactionLink } from './transaction-link.tsx'
import { useWithdrawals, type WithdrawalFacts } from './use-withdrawals.ts'

/** The withdrawals with their live states, newest first. An old one may still be open. Hidden while there are none. */
export function WithdrawalList() {
  const withdrawals = useWithdrawals()
  if (withdrawals.isError && !withdrawals.data) {
    return (
      <Panel title={withdrawalMessages.list} tone="attention" id="withdrawals">
        <ListFailed text={withdrawalMessages.listFailed} retry={withdrawals.refetch} />
      </Panel>
    )
  }
  if (!withdrawals.data?.length) return null
  return (
    <Panel title={withdrawalMessages.list} tone="attention" id="withdrawals">
      <ul className={styles.list} aria-labelledby="withdrawals-title" aria-live="polite">
        {withdrawals.data.map((withdrawal) => (
          <Row key={withdrawal.id} withdrawal={withdrawal} />
        ))}
      </ul>
      <ShowMore list={withdrawals} />
    </Panel>
  )
}

function Row({ withdrawal }: { withdrawal: WithdrawalFacts }) {
  const { amount, state, reasons, signature, requestedAt, cancelledAt } = withdrawal
  const isUnsigned = state === 'requested' || state === 'review'
  const isReturning = isUnsigned && cancelledAt !== null
  const waits = state === 'requested' && reasons.length > 0
  return (
    <li className={styles.tx}>
      <img src={outbox} width="42" height="42" alt="" />
      <div>
        <b>
          {formatExact(amount)} {messages.unit}
          <span className={classNames(styles.state, styles[waits ? 'review' : state])}>
            {isReturning
              ? securityMessages.cancelling
              : waits
                ? withdrawalMessages.waiting
                : (withdrawalMessages.states[state] ?? state)}
          </span>
        </b>
        <small>
          <time dateTime={requestedAt}>{formatPastMoment(requestedAt, serverClock.now())}</time>
          <Ending withdrawal={withdrawal} />
        </small>
        {reasonTexts(withdrawal).map((sentence) => (
          <small key={sentence}>{sentence}</small>
        ))}
        {state === 'review' ? <small>{withdrawalMessages.tokensAreSafe}</small> : null}
        {isUnsigned && cancelledAt === null ? <CancelWithdrawal withdrawal={withdrawal} /> : null}
        {signature ? <TransactionLink signature={signature} /> : null}
      </div>
    </li>
  )
}

/** The reasons why it waits that this version knows, without duplicates, or the text that the operator wrote. */
function reasonTexts({ reason, reasons }: WithdrawalFacts): string[] {
  const sentences = reasons.flatMap((code) => WITHDRAWAL_REASONS[code] ?? [])
  return [...new Set(sentences.length > 0 ? sentences : reason ? [reason] : [])]
}

function Ending({ withdrawal: { state, settledAt } }: { withdrawal: WithdrawalFacts }) {
  if (settledAt === null) return null
  const moment = formatPastMoment(settledAt, serverClock.now())
  const ending =
    state === 'finalized' ? withdrawalMessages.arrived(moment) : withdrawalMessages.returned(moment)
  return <> · {ending}</>
}
