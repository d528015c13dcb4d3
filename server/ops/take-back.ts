import { baseUnits, type Cotton } from '#game/cotton.ts'
import { type Credit, takeBackEntries, totalOf } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { formatCotton } from './amounts.ts'
import type { UnowedPayout } from './find-unowed-payouts.ts'
import { readFreePool } from './read-free-pool.ts'
import { readRestored } from './restored-payouts.ts'

const insertTaken = sql(
  'restored-insert-taken',
  `insert into restored_payouts
     (signature, withdrawal_id, wallet, amount, deposited, earned, journal_id, taken_at, taken_by)
   select t.*, $8, $9
   from unnest($1::text[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::uuid[]) as t`,
)

type Taking = { who: string; now: Date; reason: string }

/**
 * Deducts payouts that the books do not owe from the balances of the wallets that received them: deposited credit first,
 * then earned, as in a withdrawal. Each payout is deducted once, with its own journal. What a balance does not cover
 * remains a debt. Returns a summary.
 */
export async function takeBack(
  tx: Tx,
  payouts: readonly UnowedPayout[],
  { who, now, reason }: Taking,
): Promise<string> {
  const before = await readRestored(tx)
  const fresh = payouts.filter(({ signature }) => !before.has(signature))
  const ledger = await openLedger(
    tx,
    fresh.flatMap(({ wallet }) => wallet ?? []),
  )
  let pool = await readFreePool(tx, now)
  const taken = fresh.map(({ signature, withdrawalId, wallet, amount }) => {
    if (wallet === null) return { deposited: 0n, earned: 0n, journalId: null }
    const credit = coveredBy(ledger.balances(wallet), { amount, pool })
    if (totalOf(credit) === 0n) return { ...credit, journalId: null }
    pool -= credit.earned
    const detail = { reason, signature, withdrawalId }
    const entries = takeBackEntries(wallet, credit)
    return { ...credit, journalId: ledger.post({ wallet, kind: 'adjustment', at: now, detail, entries }) }
  })
  await ledger.write()
  await tx.rows(insertTaken, [
    fresh.map((each) => each.signature),
    fresh.map((each) => each.withdrawalId),
    fresh.map((each) => each.wallet),
    fresh.map((each) => each.amount),
    taken.map((each) => each.deposited),
    taken.map((each) => each.earned),
    taken.map((each) => each.journalId),
    now,
    who,
  ])
  const all = sum(fresh.map((each) => each.amount))
  const back = sum(taken.map((each) => each.deposited + each.earned))
  const rest = all === back ? 'no debt remains' : `${formatCotton(all - back)} $COTTON remain as debt`
  return `Took back ${formatCotton(back)} of ${formatCotton(all)} $COTTON in ${fresh.length} payouts: ${rest}.`
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
