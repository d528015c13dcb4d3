import {
  isWithdrawalReason,
  WITHDRAWAL_REASONS,
  type WithdrawalReason,
} from '#contract/withdrawal-reasons.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { moveWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { trackFailedWithdrawals } from '../failed-withdrawals.ts'
import type { StepDeps } from '../step-deps.ts'

const FROZEN = 'frozen' satisfies WithdrawalReason

// A request that is not reviewed yet is left to the review, which finds the freeze itself.
const suspend = sql({
  name: 'freeze-suspend-withdrawals',
  params: { frozen: 'text', reason: 'text' },
  row: rowOf<{ id: string }>(),
  text: ({ frozen, reason }) => `update withdrawals w set state = 'review', reason = ${reason},
      reasons = array_prepend(${frozen}, case when w.state = 'review' then w.reasons else '{}' end),
      tries = default, retry_at = default
    from frozen_wallets f
    where w.wallet = f.wallet and w.state in ('review', 'approved') and w.cancelled_at is null
      and not ${frozen} = any(w.reasons)
    returning w.id::text`,
})

const readReleased = sql({
  name: 'freeze-read-released',
  row: rowOf<{ id: string; reasons: string[] }>(),
  text: `select w.id::text, w.reasons from withdrawals w
    where w.state = 'review' and 'frozen' = any (w.reasons)
      and not exists (select from frozen_wallets f where f.wallet = w.wallet)`,
})

/**
 * Makes the withdrawals of frozen wallets wait in review, and those of wallets that are no longer frozen be reviewed
 * again, unless they wait for something else. What is signed is not touched: it can land at any moment.
 */
export async function followFreezes({ db, log }: Pick<StepDeps, 'db' | 'log'>): Promise<void> {
  const suspended = await db.rows(suspend, { frozen: FROZEN, reason: WITHDRAWAL_REASONS[FROZEN] })
  for (const { id } of suspended) log.warn({ withdrawal: id }, 'a withdrawal waits: its wallet is frozen')
  const failed = trackFailedWithdrawals({ log })
  for (const { id, reasons } of await db.rows(readReleased)) {
    const others = reasons.filter(isWithdrawalReason).filter((reason) => reason !== FROZEN)
    const to = others.length === 0 ? 'requested' : 'review'
    await failed.isolate(id, () => moveWithdrawal(db, { id, from: 'review', to, reasons: others }))
  }
  failed.end()
}
