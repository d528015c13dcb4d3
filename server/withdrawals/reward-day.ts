import { baseUnits, type Cotton, ZERO } from '#game/cotton.ts'
import { budgetLeft, dailyBudget } from '#game/credit.ts'
import { assert } from '#server/platform/assert.ts'
import { type Queryable, sql, type Tx } from '#server/platform/db/db.ts'

const DAY_MS = 24 * 60 * 60_000

/** The UTC day of an instant: `2026-11-20`. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

/** When the day's budget ends and the next one starts. */
export function dayAfter(now: Date): Date {
  return new Date(Date.parse(`${dayOf(now)}T00:00:00.000Z`) + DAY_MS)
}

const readDay = sql('reward-read-day', 'select budget, spent from reward_days where day = $1::date')

const lockDay = sql(
  'reward-lock-day',
  'select budget, spent from reward_days where day = $1::date for update',
)

const openDay = sql(
  'reward-open-day',
  'insert into reward_days (day, budget) values ($1::date, $2) on conflict do nothing',
)

const readWallets = sql(
  'reward-read-wallets',
  'select wallet, spent from reward_day_wallets where day = $1::date and wallet = any($2::text[])',
)

const spendDay = sql('reward-spend-day', 'update reward_days set spent = spent + $2 where day = $1::date')

const spendWallets = sql(
  'reward-spend-wallets',
  `insert into reward_day_wallets (day, wallet, spent)
   select $1::date, wallet, spent from unnest($2::text[], $3::bigint[]) as took (wallet, spent) order by wallet
   on conflict (day, wallet) do update set spent = reward_day_wallets.spent + excluded.spent`,
)

const giveBackDay = sql(
  'reward-give-back-day',
  'update reward_days set spent = spent - $2 where day = $1::date',
)

const giveBackWallet = sql(
  'reward-give-back-wallet',
  'update reward_day_wallets set spent = spent - $3 where day = $1::date and wallet = $2',
)

const readPool = sql('reward-read-pool', 'select coalesce(sum(pool), 0)::bigint as pool from credit_totals')

type Row = { budget: bigint; spent: bigint }

/** The budget of a day that starts with the pool as it is now. */
async function budgetOfPool(db: Queryable): Promise<Cotton> {
  const [row] = await db.rows<{ pool: bigint }>(readPool)
  return dailyBudget(baseUnits(row!.pool))
}

/** What a wallet may still take of today's budget, read without a lock. */
export async function readBudgetLeft(
  db: Queryable,
  { wallet, now }: { wallet: string; now: Date },
): Promise<Cotton> {
  const day = dayOf(now)
  const [row] = await db.rows<Row>(readDay, [day])
  const budget = row ? baseUnits(row.budget) : await budgetOfPool(db)
  const [mine] = await db.rows<{ spent: bigint }>(readWallets, [day, [wallet]])
  return budgetLeft({
    budget,
    spent: baseUnits(row?.spent ?? ZERO),
    spentByWallet: baseUnits(mine?.spent ?? ZERO),
  })
}

/** Today's budget, locked until the transaction ends. What is spent counts at once and is written by `close`. */
export type RewardDay = {
  /** What the whole world may still take. */
  leftForAll(): Cotton
  left(wallet: string): Cotton
  spend(wallet: string, amount: Cotton): void
  write(): Promise<void>
}

/**
 * Locks today's budget; the day's first request sets it from the pool as it is then. Every earned withdrawal waits
 * here, so it is the last lock that a request takes.
 */
export async function lockRewardDay(
  tx: Tx,
  { wallets, now }: { wallets: readonly string[]; now: Date },
): Promise<RewardDay> {
  const day = dayOf(now)
  let [row] = await tx.rows<Row>(lockDay, [day])
  if (!row) {
    await tx.rows(openDay, [day, await budgetOfPool(tx)])
    ;[row] = await tx.rows<Row>(lockDay, [day])
  }
  assert(row, 'the day that was just opened is there')
  const { budget, spent } = row
  const before = await tx.rows<{ wallet: string; spent: bigint }>(readWallets, [day, [...new Set(wallets)]])
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
    async write() {
      if (taken.size === 0) return
      await tx.rows(spendDay, [day, takenByAll()])
      await tx.rows(spendWallets, [day, [...taken.keys()], [...taken.values()]])
    },
  }
}

/** A withdrawal came back: what it took of its day's budget may be taken again. */
export async function giveBackBudget(
  tx: Tx,
  { day, wallet, amount }: { day: string; wallet: string; amount: Cotton },
): Promise<void> {
  if (amount === ZERO) return
  await tx.rows(giveBackDay, [day, amount])
  await tx.rows(giveBackWallet, [day, wallet, amount])
}
