import { baseUnits, type Cotton } from '#game/cotton.ts'
import { dailyBudget, WALLET_BUDGET_BPS } from '#game/credit.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import { assert } from '#server/platform/assert.ts'
import { type Queryable, sql } from '#server/platform/db/db.ts'
import type { OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { dayOf } from '#server/withdrawals/reward-day.ts'
import type { Signer } from '../signer.ts'

const readBound = sql('bounds-read', 'select budget from reward_bounds where day = $1::date')

const insertBound = sql(
  'bounds-insert',
  'insert into reward_bounds (day, budget) values ($1::date, $2) on conflict do nothing',
)

const openDay = sql(
  'bounds-open-day',
  'insert into reward_days (day, budget) values ($1::date, $2) on conflict do nothing',
)

// What holds have taken out of the pool since a day began, by the ledger's own entries.
const sumHeld = sql(
  'bounds-sum-held',
  `select coalesce(-sum(e.amount), 0)::bigint as held from withdrawals w
   join entries e on e.wallet = w.wallet and e.journal_id = w.hold_id and e.account = 'pool'
   where w.day >= $1::date and w.state <> 'refunded'`,
)

const sumApproved = sql(
  'bounds-sum-approved',
  `select coalesce(sum(earned), 0)::bigint as by_all, coalesce(sum(earned) filter (where wallet = $3), 0)::bigint as by_wallet
   from withdrawals where day = $1::date and id <> $2 and state in ('approved', 'signed', 'sent', 'finalized')`,
)

/**
 * What a day's budget can be at most, as the signer itself finds it when it first looks at that day: a share of what
 * the pool holds and what holds of that day have taken out of it. It stays, whatever comes into the pool later. The
 * row of the day, which the api may write, has no say in it.
 */
async function readOrSetBound(tx: Queryable, day: string): Promise<Cotton> {
  const read = async () => (await tx.rows<{ budget: bigint }>(readBound, [day]))[0]?.budget
  const known = await read()
  if (known !== undefined) return baseUnits(known)
  const { pool } = await readWorldBalances(tx)
  const [row] = await tx.rows<{ held: bigint }>(sumHeld, [day])
  await tx.rows(insertBound, [day, dailyBudget(baseUnits(pool + row!.held))])
  const stored = await read()
  assert(stored !== undefined, 'the bound that was just kept is there')
  return baseUnits(stored)
}

/** Opens today's budget before the first player asks for it, so that it is the pool's share at the day's start. */
export async function openTodaysBudget({ db, clock }: Pick<Signer, 'db' | 'clock'>): Promise<void> {
  const today = dayOf(clock.now())
  if ((await db.rows(readBound, [today])).length > 0) return
  await db.rows(openDay, [today, await readOrSetBound(db, today)])
}

/** True where the earned part of a withdrawal fits its day: with all others of that day, and with the wallet's own. */
export async function fitsDayBudget(
  tx: Queryable,
  { id, wallet, day, earned }: OpenWithdrawal,
): Promise<boolean> {
  if (earned === 0n) return true
  const bound = await readOrSetBound(tx, day)
  const [taken] = await tx.rows<{ by_all: bigint; by_wallet: bigint }>(sumApproved, [day, id, wallet])
  const { by_all: byAll, by_wallet: byWallet } = taken!
  return byAll + earned <= bound && byWallet + earned <= (bound * WALLET_BUDGET_BPS) / 10_000n
}
