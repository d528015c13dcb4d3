import { baseUnits, type Cotton, formatExact } from '#game/cotton.ts'
import { type Credit, takeBackEntries, totalOf } from '#game/credit.ts'
import { ChainUnavailable } from '#server/chain/port.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { rowset, sql, type Tx } from '#server/platform/db/db.ts'
import type { UnowedPayout } from './find-unowed-payouts.ts'
import { readFreePool } from './read-free-pool.ts'
import { readRestored } from './restored-payouts.ts'

const insertTaken = sql({
  name: 'restored-insert-taken',
  params: {
    taken: rowset({
      signature: 'text',
      withdrawal_id: 'uuid',
      wallet: 'text | null',
      amount: 'bigint',
      deposited: 'bigint',
      earned: 'bigint',
      journal_id: 'uuid | null',
    }),
    now: 'timestamptz',
    who: 'text',
  },
  text: ({ taken, now, who }) =>
    `insert into restored_payouts
       (signature, withdrawal_id, wallet, amount, deposited, earned, journal_id, taken_at, taken_by)
     select taken.*, ${now}, ${who} from ${taken}`,
})

type Taking = {
  who: string
  now: Date
  reason: string
  /** The wallets whose deposits may not all be in the books. */
  unread: ReadonlySet<string>
}

/**
 * Deducts payouts that the books do not owe from the balances of the wallets that received them: deposited credit first,
 * then earned, as in a withdrawal. Each payout is deducted once, with its own journal. What a balance does not cover
 * remains a debt. Returns a summary. Throws `ChainUnavailable` if deposits that are not read may cover such a debt.
 */
export async function takeBack(
  tx: Tx,
  payouts: readonly UnowedPayout[],
  { who, now, reason, unread }: Taking,
): Promise<string> {
  const before = await readRestored(tx)
  const fresh = payouts.filter(({ signature }) => !before.has(signature))
  const ledger = await openLedger(
    tx,
    fresh.flatMap(({ wallet }) => wallet ?? []),
  )
  let pool = await readFreePool(tx, now)
  const taken = fresh.map(({ signature, withdrawalId, wallet, amount }) => {
    const payout = { signature, withdrawal_id: withdrawalId, wallet, amount }
    if (wallet === null) return { ...payout, deposited: 0n, earned: 0n, journal_id: null }
    const credit = coveredBy(ledger.balances(wallet), { amount, pool })
    // Each payout is taken back once: what a deposit would cover that is credited later remains a debt.
    if (totalOf(credit) < amount && unread.has(wallet))
      throw new ChainUnavailable(`The deposits of ${wallet} are not all read, and they may cover its payout.`)
    if (totalOf(credit) === 0n) return { ...payout, ...credit, journal_id: null }
    pool -= credit.earned
    const detail = { reason, signature, withdrawalId }
    const entries = takeBackEntries(wallet, credit)
    const journal_id = ledger.post({ wallet, kind: 'adjustment', at: now, detail, entries })
    return { ...payout, ...credit, journal_id }
  })
  ledger.write()
  await tx.rows(insertTaken, { taken, now, who })
  const all = sum(fresh.map((each) => each.amount))
  const back = sum(taken.map((each) => each.deposited + each.earned))
  const rest = all === back ? 'no debt remains' : `${formatExact(all - back)} $COTTON remain as debt`
  return `Took back ${formatExact(back)} of ${formatExact(all)} $COTTON in ${fresh.length} payouts: ${rest}.`
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n)

const min = (a: bigint, b: bigint): Cotton => baseUnits(a < b ? a : b)

/** The part that the balance covers. The pool backs earned credit, so it must have the tokens for that part. */
function coveredBy(
  { deposited, earned }: Credit,
  { amount, pool }: { amount: bigint; pool: bigint },
): Credit {
  const first = min(deposited, amount)
  return { deposited: first, earned: min(min(earned, pool), amount - first) }
}
