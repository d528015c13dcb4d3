import type { ReplyOf } from '#contract/route.ts'
import type {
  readWithdrawable as withdrawableRoute,
  readWithdrawals as listRoute,
} from '#contract/withdrawals.ts'
import { isWithdrawalReason } from '#contract/withdrawal-reasons.ts'
import { baseUnits, type Cotton, cotton, toWire, ZERO } from '#game/cotton.ts'
import { type Credit, totalOf, withdrawable } from '#game/credit.ts'
import { readBalance } from '#server/ledger/read-balance.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import { walletsWithoutDeposit } from './deposit-first.ts'
import { dayAfter, readBudgetLeft } from './reward-day.ts'
import { readPause } from './withdrawal-switch.ts'

export type WithdrawalOnWire = ReplyOf<typeof listRoute>['withdrawals'][number]

/** A withdrawal's states as the database knows them; players see an approved one as requested still. */
export type WithdrawalState = WithdrawalOnWire['state'] | 'approved'

/** What is held for a withdrawal: how much of each class. */
export type Held = Credit & { id: string; wallet: string; requestedAt: Date }

type Known = Held & {
  state: WithdrawalState
  reason: string | null
  reasons: readonly string[]
  signature: string | null
  settledAt: Date | null
}

/** The smallest withdrawal, as the contract says. */
const MINIMUM = cotton(1)

const LIST_LENGTH = 100

const readNewest = sql(
  'withdrawals-read-newest',
  `select w.id::text, w.wallet, w.deposited, w.earned, w.state, w.reason, w.reasons,
     coalesce(w.paid_by, (
       select r.signature from payout_replacements r where r.withdrawal_id = w.id order by r.attempt desc limit 1
     ), p.signature) as signature,
     w.requested_at as "requestedAt", w.settled_at as "settledAt"
   from withdrawals w left join payouts p on p.withdrawal_id = w.id
   where w.wallet = $1 and (w.requested_at, w.id) < (
     case when $3::uuid is null then 'infinity'
       else coalesce((select b.requested_at from withdrawals b where b.id = $3), '-infinity') end,
     coalesce($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by w.requested_at desc, w.id desc limit $2`,
)

/** A withdrawal as its player sees it. */
export function onWire(known: Known): WithdrawalOnWire {
  return {
    id: known.id,
    amount: toWire(totalOf(known)),
    deposited: toWire(known.deposited),
    earned: toWire(known.earned),
    state: known.state === 'approved' ? 'requested' : known.state,
    reason: known.reason,
    reasons: known.reasons.filter(isWithdrawalReason),
    signature: known.signature,
    requestedAt: known.requestedAt.toISOString(),
    settledAt: known.settledAt?.toISOString() ?? null,
  }
}

/** A page of a player's withdrawals, newest first: the newest, or those behind one of them. */
export async function readWithdrawals(db: Db, wallet: string, before?: string): Promise<WithdrawalOnWire[]> {
  const rows = await db.rows<Known>(readNewest, [wallet, LIST_LENGTH, before])
  return rows.map(onWire)
}

/** The cursor of the page behind this one; null where it is the last. */
export const nextAfter = (page: readonly WithdrawalOnWire[]): string | null =>
  page.length === LIST_LENGTH ? page.at(-1)!.id : null

/** What a player could withdraw right now, and what holds the rest back. */
export async function readWithdrawable(
  { db, clock }: { db: Db; clock: Clock },
  wallet: string,
): Promise<ReplyOf<typeof withdrawableRoute>> {
  const now = clock.now()
  const purse = await readBalance(db, wallet)
  const needsDeposit = (await walletsWithoutDeposit(db, [wallet])).has(wallet)
  const budget = needsDeposit ? ZERO : await readBudgetLeft(db, { wallet, now })
  const pause = await readPause(db)
  const open = withdrawable(purse, budget)
  const most: Cotton = totalOf(open)
  return {
    success: true,
    withdrawable: toWire(most < MINIMUM ? baseUnits(0n) : most),
    deposited: toWire(purse.deposited),
    earned: toWire(purse.earned),
    earnedToday: toWire(open.earned),
    needsDeposit,
    minimum: toWire(MINIMUM),
    budgetResetsAt: dayAfter(now).toISOString(),
    paused: pause !== null,
    pause: pause && { reason: pause.why, since: pause.since.toISOString() },
  }
}
