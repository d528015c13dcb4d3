import type { ReplyOf } from '#contract/route.ts'
import type {
  readWithdrawable as withdrawableRoute,
  readWithdrawals as listRoute,
} from '#contract/withdrawals.ts'
import { isWithdrawalReason } from '#contract/withdrawal-reasons.ts'
import { cotton, toWire, ZERO } from '#game/cotton.ts'
import { type Credit, totalOf, withdrawable } from '#game/credit.ts'
import { readBalance } from '#server/ledger/read-balance.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { readWalletsWithoutDeposit } from './read-wallets-without-deposit.ts'
import { dayAfter, readBudgetLeft } from './reward-day.ts'
import { readPause } from './withdrawal-pause.ts'

export type WithdrawalView = ReplyOf<typeof listRoute>['withdrawals'][number]

/** The states in the database. Players see `approved` as `requested`. */
export type WithdrawalState = WithdrawalView['state'] | 'approved'

/** A withdrawal with the amount of each class that the ledger holds for it. */
export type HeldWithdrawal = Credit & { id: string; wallet: string; requestedAt: Date }

export type StoredWithdrawal = HeldWithdrawal & {
  state: WithdrawalState
  reason: string | null
  reasons: readonly string[]
  signature: string | null
  settledAt: Date | null
  cancelledAt: Date | null
}

/** The smallest withdrawal of the contract. */
const MINIMUM = cotton(1)

const LIST_LENGTH = 100

const readNewest = sql({
  name: 'withdrawals-read-newest',
  params: { wallet: 'text', limit: 'integer', before: 'uuid | null' },
  row: rowOf<StoredWithdrawal>(),
  text: ({
    wallet,
    limit,
    before,
  }) => `select w.id::text, w.wallet, w.deposited, w.earned, w.state, w.reason, w.reasons,
     coalesce(w.paid_by, (
       select r.signature from payout_replacements r where r.withdrawal_id = w.id order by r.attempt desc limit 1
     ), p.signature) as signature,
     w.requested_at as "requestedAt", w.settled_at as "settledAt",
     w.cancelled_at as "cancelledAt"
   from withdrawals w left join payouts p on p.withdrawal_id = w.id
   where w.wallet = ${wallet} and (w.requested_at, w.id) < (
     case when ${before} is null then 'infinity'
       else coalesce((select b.requested_at from withdrawals b where b.wallet = ${wallet} and b.id = ${before}), '-infinity') end,
     coalesce(${before}, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by w.requested_at desc, w.id desc limit ${limit}`,
})

/** A withdrawal as its player sees it. */
export function toWithdrawalView(stored: StoredWithdrawal): WithdrawalView {
  return {
    id: stored.id,
    amount: toWire(totalOf(stored)),
    deposited: toWire(stored.deposited),
    earned: toWire(stored.earned),
    state: stored.state === 'approved' ? 'requested' : stored.state,
    reason: stored.reason,
    reasons: stored.reasons.filter(isWithdrawalReason),
    signature: stored.signature,
    requestedAt: stored.requestedAt.toISOString(),
    settledAt: stored.settledAt?.toISOString() ?? null,
    cancelledAt: stored.cancelledAt?.toISOString() ?? null,
  }
}

/** A page of a player's withdrawals, newest first. With `before`, those older than that withdrawal. */
export async function readWithdrawals(db: Db, wallet: string, before?: string): Promise<WithdrawalView[]> {
  const rows = await db.rows(readNewest, { wallet, limit: LIST_LENGTH, before: before ?? null })
  return rows.map(toWithdrawalView)
}

/** The cursor of the next page; null after the last page. */
export const nextCursor = (page: readonly WithdrawalView[]): string | null =>
  page.length === LIST_LENGTH ? page.at(-1)!.id : null

/** What a player can withdraw now, and what limits it. */
export async function readWithdrawable(
  { db, clock }: { db: Db; clock: Clock },
  wallet: string,
): Promise<ReplyOf<typeof withdrawableRoute>> {
  const now = clock.now()
  const credit = await readBalance(db, wallet)
  const needsDeposit = (await readWalletsWithoutDeposit(db, [wallet])).has(wallet)
  const budget = needsDeposit ? ZERO : await readBudgetLeft(db, { wallet, now })
  const pause = await readPause(db)
  const available = withdrawable(credit, budget)
  const total = totalOf(available)
  return {
    success: true,
    withdrawable: toWire(total < MINIMUM ? ZERO : total),
    deposited: toWire(credit.deposited),
    earned: toWire(credit.earned),
    earnedToday: toWire(available.earned),
    needsDeposit,
    minimum: toWire(MINIMUM),
    budgetResetsAt: dayAfter(now).toISOString(),
    paused: pause !== null,
    pause: pause && { reason: pause.why, since: pause.since.toISOString() },
  }
}
