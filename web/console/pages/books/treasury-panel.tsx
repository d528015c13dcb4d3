import type { readBooks } from '#contract/console/books.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { formatAmount, isZero } from '../../exact.ts'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'

type Books = ConsoleReply<typeof readBooks>

const text = pageMessages.books

/** The treasury's wallet, and what it lacks for the open withdrawals. */
export function TreasuryPanel({ treasury, topUp }: Pick<Books, 'treasury' | 'topUp'>) {
  return (
    <Panel title={text.treasury}>
      {treasury?.alarms.map((alarm) => (
        <Notice key={alarm} tone="bad">
          {alarm}
        </Notice>
      ))}
      {treasury === null ? (
        <p>{text.noTreasury}</p>
      ) : (
        <>
          {isZero(topUp.missing) ? (
            <Notice tone="good">{text.enough}</Notice>
          ) : (
            <Notice tone="bad">{text.send(formatAmount(topUp.missing))}</Notice>
          )}
          <Facts
            facts={[
              [text.tokens, formatAmount(treasury.tokens)],
              [text.sol, treasury.sol],
              [text.topUpOwed, formatAmount(topUp.owed)],
              [text.topUpMissing, formatAmount(topUp.missing)],
              [text.read, <Moment key="at" at={treasury.at} />],
            ]}
          />
          <Facts
            long
            facts={[
              [
                text.address,
                <span key="address" className="mono">
                  {treasury.address}
                </span>,
              ],
              [
                text.mint,
                <span key="mint" className="mono">
                  {treasury.mint}
                </span>,
              ],
            ]}
          />
        </>
      )}
    </Panel>
  )
}
