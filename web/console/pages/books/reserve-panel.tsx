import type { readBooks } from '#contract/console/books.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { formatCount } from '#game/cotton.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { formatAmount, formatChange } from '../../exact.ts'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StandingBadge } from './standing-badge.tsx'

const text = pageMessages.books

/** The latest reserve snapshot: where the tokens are, and what is owed. */
export function ReservePanel({ reserve }: Pick<ConsoleReply<typeof readBooks>, 'reserve'>) {
  if (reserve === null)
    return (
      <Panel title={text.reserve}>
        <p>{text.noReserve}</p>
      </Panel>
    )
  return (
    <Panel title={text.reserve}>
      <Facts
        facts={[
          [text.standing, <StandingBadge key="standing" standing={reserve.standing} />],
          [text.tokens, formatAmount(reserve.tokens)],
          [text.owed, formatAmount(reserve.owed)],
          [text.surplus, formatChange(reserve.surplus)],
          [text.treasuryPart, formatAmount(reserve.treasury)],
          [text.cold, formatAmount(reserve.cold)],
          [text.depositAccounts, formatAmount(reserve.depositAccounts)],
          [text.inFlight, formatAmount(reserve.inFlight)],
          [text.at, <Moment key="at" at={reserve.at} />],
          [text.slot, formatCount(reserve.slot)],
        ]}
      />
      {reserve.coldWallets.length > 0 ? (
        <div>
          <p className="soft">{text.coldWallets}</p>
          <ul>
            {reserve.coldWallets.map((wallet) => (
              <li key={wallet} className="mono">
                {wallet}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </Panel>
  )
}
