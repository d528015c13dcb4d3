import { baseUnits, type Cotton, ZERO } from '#game/cotton.ts'
import { budgetLeft, dailyBudget } from '#game/credit.ts'
import { assert } from '#server/platform/assert.ts'
import { type Queryable, rowOf, rowset, sql, type Tx } from '#server/platform/db/db.ts'

const DAY_MS = 24 * 60 * 60_000

/** The UTC day of an instant: `2026-11-20`. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

/** The start of the next UTC day, when the next budget starts. */
export function dayAfter(now: Date): Date {
  return new Date(Date.parse(`${dayOf(now)}T00:00:00.000Z`) + DAY_MS)
}

type Day = { budget: bigint; spent: bigint }

const readDay = sql({
  name: 'reward-read-day',
  params: { day: 'date' },
  row: rowOf<Day>(),
  text: ({ day }) => `select budget, spent from reward_days where day = ${day}`,
})

const lockDay = sql({
  name: 'reward-lock-day',
  params: { day: 'date' },
  row: rowOf<Day>(),
  text: ({ day }) => `select budget, spent from reward_days where day = ${day} for update`,
})

/** Inserts the row of a day with its budget. A day that exists keeps its budget. */
export const openRewardDay = sql({
  name: 'reward-open-day',
  params: { day: 'date', budget: 'bigint' },
  text: ({ day, budget }) =>
    `insert into reward_days (day, budget) values (${day}, ${budget}) on conflict do nothing`,
})

const readWallets = sql({
  name: 'reward-read-wallets',
  params: { day: 'date', wallets: 'text[]' },
  row: rowOf<{ wallet: string; spent: bigint }>(),
  text: ({ day, wallets }) =>
    `select wallet, spent from reward_day_wallets where day = ${day} and wallet = any(${wallets})`,
})

const spendDay = sql({
  name: 'reward-spend-day',
  params: { day: 'date', amount: 'bigint' },
  text: ({ day, amount }) => `update reward_days set spent = spent + ${amount} where day = ${day}`,
})

const spendWallets = sql({
  name: 'reward-spend-wallets',
  params: { day: 'date', taken: rowset({ wallet: 'text', amount: 'bigint' }) },
  text: ({ day, taken }) => `insert into reward_day_wallets (day, wallet, spent)
    select ${day}, wallet, amount from ${taken} order by wallet
    on conflict (day, wallet) do update set spent = reward_day_wallets.spent + excluded.spent`,
})

// Never below 0: the api may write what was spent, and what it wrote must not keep a withdrawal from being refunded.
const refundDay = sql({
  name: 'reward-refund-day',
  params: { day: 'date', amount: 'bigint' },
  text: ({ day, amount }) =>
    `update reward_days set spent = greatest(spent - ${amount}, 0) where day = ${day}`,
})

const refundWallet = sql({
  name: 'reward-refund-wallet',
  params: { day: 'date', wallet: 'text', amount: 'bigint' },
  text: ({ day, wallet, amount }) =>
    `update reward_day_wallets set spent = greatest(spent - ${amount}, 0) where day = ${day} and wallet = ${wallet}`,
})

const readPool = sql({
  name: 'reward-read-pool',
  row: rowOf<{ pool: bigint }>(),
  text: 'select coalesce(sum(pool), 0)::bigint as pool from credit_totals',
})

/** The budget of a day that starts with the current pool. */
async function budgetOfPool(db: Queryable): Promise<Cotton> {
  const [row] = await db.rows(readPool)
  return dailyBudget(baseUnits(row!.pool))
}

/** Today's budget and what is spent of it; undefined while the day has no row. Takes no lock. */
export async function readRewardDay(db: Queryable, now: Date): Promise<Day | undefined> {
  return (await db.rows(readDay, { day: dayOf(now) }))[0]
}

/** How much of today's budget a wallet can still use. Takes no lock. */
export async function readBudgetLeft(
  db: Queryable,
  { wallet, now }: { wallet: string; now: Date },
): Promise<Cotton> {
  const day = dayOf(now)
  const row = await readRewardDay(db, now)
  const budget = row ? baseUnits(row.budget) : await budgetOfPool(db)
  const [mine] = await db.rows(readWallets, { day, wallets: [wallet] })
  return budgetLeft({
    budget,
    spent: baseUnits(row?.spent ?? ZERO),
    spentByWallet: baseUnits(mine?.spent ?? ZERO),
  })
}

/** Today's budget, locked until the transaction ends. `spend` counts at once; `write` stores what was spent. */
export type RewardDay = {
  /** What all wallets together can still use. */
  leftForAll(): Cotton
  left(wallet: string): Cotton
  spend(wallet: string, amount: Cotton): void
  write(): void
}

/**
 * Locks today's budget. The first request of a day sets it from the current pool. Every withdrawal of earned credit
 * needs this row, so it is the last lock that a request takes.
 */
export async function lockRewardDay(
  tx: Tx,
  { wallets, now }: { wallets: readonly string[]; now: Date },
): Promise<RewardDay> {
  const day = dayOf(now)
  let [row] = await tx.rows(lockDay, { day })
  if (!row) {
    tx.send(openRewardDay, { day, budget: await budgetOfPool(tx) })
    ;[row] = await tx.rows(lockDay, { day })
  }
  assert(row, 'the row of the day was inserted')
  const { budget, spent } = row
  const before = await tx.rows(readWallets, { day, wallets: [...new Set(wallets)] })
  const spentBefore = new Map(before.map((each) => [each.wallet, each.spent]))
  const taken = new Map<string, bigint>()
  const takenByAll = (): bigint => [...taken.values()].reduce((sum, amount) => sum + amount, 0n)

  return {
    leftForAll: () => baseUnits(budget - spent - takenByAll()),
    left: (wallet) =>
      budgetLeft({
        budget: baseUnits(budget),
        spent: baseUnits(spent + takenByAll()),
        spentByWallet: baseUnits((spentBefore.get(wallet) ?? 0n) + (taken.get(wallet) ?? 0n)),
      }),
    spend(wallet, amount) {
      if (amount > 0n) taken.set(wallet, (taken.get(wallet) ?? 0n) + amount)
    },
    write() {
      if (taken.size === 0) return
      tx.send(spendDay, { day, amount: takenByAll() })
      tx.send(spendWallets, { day, taken: [...taken].map(([wallet, amount]) => ({ wallet, amount })) })
    },
  }
}

/** Returns the amount of a refunded withdrawal to the budget of its day. */
export function refundBudget(
  tx: Tx,
  { day, wallet, amount }: { day: string; wallet: string; amount: Cotton },
): void {
  if (amount === ZERO) return
  tx.send(refundDay, { day, amount })
  tx.send(refundWallet, { day, wallet, amount })
}
