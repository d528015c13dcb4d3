import { type Act, toUnits } from '#contract/console/acts.ts'
import { baseUnits, formatExact } from '#game/cotton.ts'
import type { Address } from '#server/chain/port.ts'
import { unfreezeWallet } from '#server/freeze/freeze-wallet.ts'
import type { Operator } from '#server/operators/read-operators.ts'
import type { ActContext } from '#server/operators/verify-act.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { readPause, resumeWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import type { StepDeps } from '../step-deps.ts'
import { acceptApproval } from './accept-approval.ts'
import { acknowledgePayout } from './acknowledge-payout.ts'
import { adjustBalance } from './adjust-balance.ts'
import { changeMarket } from './change-market.ts'
import { findOpen, findUnowedPayouts, openPayouts } from './find-unowed-payouts.ts'
import { fundPool } from './fund-pool.ts'
import { rejectWithdrawal } from './reject-withdrawal.ts'
import { takeBack } from './take-back.ts'

export type ExecuteDeps = Pick<StepDeps, 'chain'> & {
  context: ActContext
  /** The wallets of cold storage. */
  coldWallets: readonly string[]
}

/**
 * Does what a verified act says, in the transaction that records it, and returns the outcome as a sentence. Throws a
 * `StartupError` with the reason if it is refused, and `ChainUnavailable` if it must be tried again.
 */
export async function executeAct(
  tx: Tx,
  { chain, context, coldWallets: cold }: ExecuteDeps,
  { act, operator, now }: { act: Act; operator: Operator; now: Date },
): Promise<string> {
  const { treasury } = context
  const amount = baseUnits('amount' in act ? toUnits(act.amount) : 0n)
  switch (act.kind) {
    case 'approve':
      return acceptApproval(tx, context, {
        id: act.withdrawalId,
        wallet: act.wallet,
        amount,
        operator,
        now,
      })
    case 'reject':
      return rejectWithdrawal(tx, {
        id: act.withdrawalId,
        wallet: act.wallet,
        amount,
        reason: act.reason,
        now,
      })
    case 'adjust': {
      const { wallet, creditClass, reason } = act
      return adjustBalance(tx, { wallet, class: creditClass, amount, reason, now })
    }
    case 'fund':
      return fundPool(tx, { chain, treasury, cold, amount, reason: act.reason, now })
    case 'resume':
      return resume(tx)
    case 'unfreeze':
      return unfreezeOne(tx, act.wallet)
    case 'market':
      return changeMarket(tx, { ...act, now })
    case 'take-back': {
      const payouts = openPayouts(
        await findUnowedPayouts({ db: tx }, { chain, treasury: treasury as Address }),
      )
      const sum = payouts.reduce((total, each) => total + each.amount, 0n)
      if (payouts.length !== Number(act.payouts) || sum !== amount) {
        throw new StartupError(
          `${payouts.length} payouts of ${formatExact(sum)} $COTTON are open now, which is not what the operator signed.`,
        )
      }
      return takeBack(tx, payouts, { who: operator.name, now, reason: act.reason })
    }
    case 'acknowledge': {
      const payouts = await findUnowedPayouts({ db: tx }, { chain, treasury: treasury as Address })
      const of = { who: operator.name, now, why: act.reason, pool: act.debt === 'pool', left: amount }
      return acknowledgePayout(tx, findOpen(payouts, act.transaction), of)
    }
  }
}

async function resume(tx: Tx): Promise<string> {
  const before = await readPause(tx)
  if (!before) throw new StartupError('Withdrawals are not paused.')
  await resumeWithdrawals(tx)
  return `Withdrawals are resumed. They were paused since ${before.since.toISOString()}: ${before.why}`
}

async function unfreezeOne(tx: Tx, wallet: string): Promise<string> {
  if (!(await unfreezeWallet(tx, { wallet }))) throw new StartupError(`The wallet ${wallet} is not frozen.`)
  return `Unfrozen: ${wallet}.`
}
