import { WITHDRAWAL_REASONS } from '#contract/withdrawal-reasons.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { refundWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import { lockWithdrawal, moveWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { isHeld } from '../review/check-hold.ts'
import { trackFailedWithdrawals } from '../failed-withdrawals.ts'
import type { StepDeps } from '../step-deps.ts'

const AT_ONCE = 100

const readCancelled = sql({
  name: 'signer-read-cancelled',
  params: { limit: 'integer' },
  row: rowOf<{ id: string; wallet: string }>(),
  text: ({ limit }) => `select id::text, wallet from withdrawals
    where cancelled_at is not null and state in ('requested', 'review', 'approved') and 'not_held' <> all(reasons)
    order by cancelled_at limit ${limit}`,
})

type RefundDeps = Pick<StepDeps, 'db' | 'clock' | 'log'>

/**
 * Refunds the withdrawals that their players cancelled before they were signed. Runs once the ledger is reconciled with
 * the chain: a restored database may not contain a payout that has already landed. Like a payout, a refund takes what is
 * held, so the ledger's entries decide: a row whose amount is not held waits for the operator.
 */
export async function refundCancelled(deps: RefundDeps): Promise<void> {
  const { db, log } = deps
  const failed = trackFailedWithdrawals({ log })
  for (const cancelled of await db.rows(readCancelled, { limit: AT_ONCE }))
    await failed.isolate(cancelled.id, () => refundOne(deps, cancelled))
  failed.end()
}

function refundOne(
  { db, clock, log }: RefundDeps,
  { id, wallet }: { id: string; wallet: string },
): Promise<void> {
  return db.transaction(async (tx) => {
    await openLedger(tx, [wallet])
    const locked = await lockWithdrawal(tx, id)
    if (!locked || locked.cancelledAt === null) return
    if (await isHeld(tx, locked)) {
      const reason = WITHDRAWAL_REASONS.cancelled
      await refundWithdrawal(tx, { id, wallet, now: clock.now(), kind: 'cancellation', reason })
      return
    }
    log.error({ withdrawal: id }, 'the ledger does not hold the amount of a cancelled withdrawal')
    await moveWithdrawal(tx, { id, from: locked.state, to: 'review', reasons: ['not_held'] })
  })
}
