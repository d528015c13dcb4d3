import { Link } from 'react-router'
import type { ConsoleReply } from '#contract/console/route.ts'
import type { readWithdrawal } from '#contract/console/withdrawals.ts'
import { formatCount } from '#game/cotton.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { formatAmount, formatCredit } from '../../exact.ts'
import { Facts } from '../../ui/facts.tsx'
import { Age, Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { approvalsText } from './approvals-text.ts'
import { Reasons } from './withdrawal-columns.tsx'
import { WithdrawalBadge } from './withdrawal-badge.tsx'

type Read = ConsoleReply<typeof readWithdrawal>

const text = pageMessages.withdrawal

/** What is to be paid to whom, why it waits, and who has approved it. */
export function PayoutFacts({ withdrawal }: { withdrawal: Read['withdrawal'] }) {
  const { approvals, signature, settledAt, cancelledAt, retryAt } = withdrawal
  const { withdrawals: list } = pageMessages
  return (
    <>
      <Facts
        facts={[
          [list.state, <WithdrawalBadge key="state" state={withdrawal.state} />],
          [list.amount, formatCredit(withdrawal.amount)],
          [text.deposited, formatAmount(withdrawal.deposited)],
          [text.earned, formatAmount(withdrawal.earned)],
          [list.requested, <Moment key="at" at={withdrawal.requestedAt} />],
          [list.approvals, approvalsText(withdrawal)],
          ...(retryAt ? [[text.retry, <Moment key="retry" at={retryAt} />] as const] : []),
          ...(settledAt ? [[text.settled, <Moment key="settled" at={settledAt} />] as const] : []),
          ...(cancelledAt ? [[text.cancelled, <Moment key="cancelled" at={cancelledAt} />] as const] : []),
        ]}
      />
      {approvals.length > 0 ? (
        <ul>
          {approvals.map(({ wallet, name, at }) => (
            <li key={wallet}>
              <Approval name={name} at={at} />
            </li>
          ))}
        </ul>
      ) : null}
      <Facts
        long
        facts={[
          [
            text.to,
            <span key="to" className="mono">
              {withdrawal.wallet}
            </span>,
          ],
          [
            text.id,
            <span key="id" className="mono">
              {withdrawal.id}
            </span>,
          ],
          ...(signature
            ? [
                [
                  text.transaction,
                  <span key="tx" className="mono">
                    {signature}
                  </span>,
                ] as const,
              ]
            : []),
        ]}
      />
      <div>
        <p className="soft">{list.reasons}</p>
        <Reasons reasons={withdrawal.reasons} />
      </div>
    </>
  )
}

function Approval({ name, at }: { name: string; at: string }) {
  return (
    <>
      {name}, <Age since={at} />
    </>
  )
}

/** What is known of the player who asked for it. */
export function PlayerPanel({ player }: { player: Read['player'] }) {
  const { wallet, createdAt, deposited, earned, held, frozen, openWithdrawals } = player
  return (
    <Panel
      title={text.player}
      actions={<Link to={`/players/${wallet}`}>{pageMessages.withdrawals.open}</Link>}
    >
      {frozen ? <Notice tone="bad">{text.frozen(frozen.reason, frozen.by)}</Notice> : null}
      <Facts
        facts={[
          [text.since, <Moment key="since" at={createdAt} />],
          [pageMessages.player.deposited, formatAmount(deposited)],
          [pageMessages.player.earned, formatAmount(earned)],
          [text.held, formatAmount(held)],
          [text.openCount, formatCount(openWithdrawals)],
        ]}
      />
    </Panel>
  )
}
