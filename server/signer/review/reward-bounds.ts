import { baseUnits, type Cotton } from '#game/cotton.ts'
import { dailyBudget, WALLET_BUDGET_BPS } from '#game/credit.ts'
import { assert } from '#server/platform/assert.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { readCreditSupply } from '#server/solvency/read-credit-supply.ts'
import type { OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { dayOf } from '#server/withdrawals/reward-day.ts'
import type { StepDeps } from '../step-deps.ts'

const readBound = sql({
  name: 'bounds-read',
  params: { day: 'date' },
  row: rowOf<{ budget: bigint }>(),
  text: ({ day }) => `select budget from reward_bounds where day = ${day}`,
})

const insertBound = sql({
  name: 'bounds-insert',
  params: { day: 'date', budget: 'bigint' },
  text: ({ day, budget }) =>
    `insert into reward_bounds (day, budget) values (${day}, ${budget}) on conflict do nothing`,
})

const readIsOpen = sql({
  name: 'bounds-read-is-open',
  params: { day: 'date' },
  row: rowOf<{ isOpen: boolean }>(),
  text: ({ day }) => `select exists (
     select from reward_bounds b join reward_days d using (day) where day = ${day} and d.budget <= greatest(b.budget, d.spent)
   ) as "isOpen"`,
})

// What was granted before stays granted, so the budget is at least what was spent of it.
const openDay = sql({
  name: 'bounds-open-day',
  params: { day: 'date', bound: 'bigint' },
  text: ({ day, bound }) => `insert into reward_days as d (day, budget) values (${day}, ${bound})
     on conflict (day) do update set budget = least(d.budget, greatest(excluded.budget, d.spent))`,
})

// What holds have taken out of the pool since the start of a day. The api writes the rows of withdrawals and the entries of
// holds. Only what was added to `held` in return counts: it is owed, so that a forged hold shows as missing tokens.
const sumHeld = sql({
  name: 'bounds-sum-held',
  params: { day: 'date' },
  row: rowOf<{ held: bigint }>(),
  text: ({ day }) => `select coalesce(sum(w.earned), 0)::bigint as held from withdrawals w
   cross join lateral (
     select from entries e where e.wallet = w.wallet and e.journal_id = w.hold_id
     having sum(e.amount) filter (where e.account = 'pool') = -w.earned
       and sum(e.amount) filter (where e.account = 'held') = w.deposited + w.earned
   ) hold
   where w.day >= ${day} and w.earned > 0 and w.state <> 'refunded'`,
})

const sumApproved = sql({
  name: 'bounds-sum-approved',
  params: { day: 'date', id: 'uuid', wallet: 'text' },
  row: rowOf<{ byAll: bigint; byWallet: bigint }>(),
  text: ({ day, id, wallet }) => `select coalesce(sum(earned), 0)::bigint as "byAll",
     coalesce(sum(earned) filter (where wallet = ${wallet}), 0)::bigint as "byWallet"
   from withdrawals
   where day = ${day} and earned > 0 and id <> ${id} and state in ('approved', 'signed', 'sent', 'finalized')`,
})

/**
 * The upper bound of a day's budget. The signer sets it once, when it first needs it: a share of the pool plus what
 * holds have taken out of it since that day began. Later changes of the pool do not change it. The row of the day,
 * which the api may write, does not affect it: the total of the pool is written by a trigger only.
 */
async function readOrSetBound(db: Queryable, day: string): Promise<Cotton> {
  const read = async () => (await db.rows(readBound, { day }))[0]?.budget
  const known = await read()
  if (known !== undefined) return baseUnits(known)
  const { pool } = await readCreditSupply(db)
  const [row] = await db.rows(sumHeld, { day })
  await db.rows(insertBound, { day, budget: dailyBudget(baseUnits(pool + row!.held)) })
  const stored = await read()
  assert(stored !== undefined, 'the bound was inserted')
  return baseUnits(stored)
}

/**
 * Sets today's budget before the first withdrawal, so that it is a share of the pool at the start of the day. If the api was
 * first, for example because its clock is ahead, the budget becomes the bound where that is less: of a larger one the signer
 * would refuse a part.
 */
export async function openTodaysBudget({ db, clock }: Pick<StepDeps, 'db' | 'clock'>): Promise<void> {
  const day = dayOf(clock.now())
  const [today] = await db.rows(readIsOpen, { day })
  if (today!.isOpen) return
  await db.transaction(async (tx) => tx.send(openDay, { day, bound: await readOrSetBound(tx, day) }))
}

/** True if the earned part fits the day's bound, together with all other withdrawals and with the wallet's own. */
export async function fitsDayBudget(
  db: Queryable,
  { id, wallet, day, earned }: OpenWithdrawal,
): Promise<boolean> {
  if (earned === 0n) return true
  const bound = await readOrSetBound(db, day)
  const [taken] = await db.rows(sumApproved, { day, id, wallet })
  const { byAll, byWallet } = taken!
  return byAll + earned <= bound && byWallet + earned <= (bound * WALLET_BUDGET_BPS) / 10_000n
}
