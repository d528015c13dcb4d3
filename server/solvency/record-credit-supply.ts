import type { Clock } from '#server/platform/clock.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { readCreditSupply, type CreditSupply } from './read-credit-supply.ts'

/** The flows of credit, as totals since the start of the game. */
export type Flows = Pick<CreditSupply, 'emitted' | 'burned' | 'spent'>

const INTERVAL_MS = 10 * 60_000
const DAY_MS = 24 * 60 * 60_000

// Not a later one, which a clock that was ahead has recorded before it was set back.
const readNewest = sql({
  name: 'credit-supply-read-newest',
  params: { now: 'timestamptz' },
  row: rowOf<{ at: Date | null }>(),
  text: ({ now }) => `select max(at) as at from supply_history where at <= ${now}`,
})

const insertSupply = sql({
  name: 'credit-supply-insert',
  params: { now: 'timestamptz', emitted: 'bigint', burned: 'bigint', spent: 'bigint' },
  text: ({ now, emitted, burned, spent }) =>
    `insert into supply_history (at, emitted, burned, spent) values (${now}, ${emitted}, ${burned}, ${spent}) on conflict do nothing`,
})

// The newest row that is at least a day old. On the first day there is none, and the flows count from zero.
const readDayAgo = sql({
  name: 'credit-supply-read-day-ago',
  params: { dayAgo: 'timestamptz' },
  row: rowOf<Flows>(),
  text: ({ dayAgo }) =>
    `select emitted, burned, spent from supply_history where at <= ${dayAgo} order by at desc limit 1`,
})

// Within years a total exceeds a bigint.
const modulo64Bits = (amount: bigint): bigint => BigInt.asIntN(64, amount)

/**
 * What was added from one total to a later one. Both may be stored ones, which are modulo 2⁶⁴: no span that is shown adds
 * as much.
 */
export const addedBetween = ({ from, to }: { from: bigint; to: bigint }): bigint => modulo64Bits(to - from)

/** Records the totals every ten minutes, so that the flows of the last day can be computed. */
export async function recordCreditSupply({ db, clock }: { db: Queryable; clock: Clock }): Promise<void> {
  const now = clock.now()
  const [newest] = await db.rows(readNewest, { now })
  if (newest?.at && now.getTime() - newest.at.getTime() < INTERVAL_MS) return
  const { emitted, burned, spent } = await readCreditSupply(db)
  await db.rows(insertSupply, {
    now,
    emitted: modulo64Bits(emitted),
    burned: modulo64Bits(burned),
    spent: modulo64Bits(spent),
  })
}

/** The totals of a day ago, or of the last record before that, for `addedBetween`. */
export async function readFlowsDayAgo(db: Queryable, now: Date): Promise<Flows> {
  const [row] = await db.rows(readDayAgo, { dayAgo: new Date(now.getTime() - DAY_MS) })
  return row ?? { emitted: 0n, burned: 0n, spent: 0n }
}
