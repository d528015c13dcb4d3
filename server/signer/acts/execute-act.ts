import { type Act, toUnits } from '#contract/console/acts.ts'
import { baseUnits, formatExact } from '#game/cotton.ts'
import { type Address, ChainUnavailable } from '#server/chain/port.ts'
import { readFreeze, unfreezeWallet } from '#server/freeze/freeze-wallet.ts'
import type { Operator } from '#server/operators/read-operators.ts'
import type { ActContext } from '#server/operators/verify-act.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { readReserve, type ReserveView } from '#server/solvency/take-snapshot.ts'
import { lockPause, resumeWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import type { StepDeps } from '../step-deps.ts'
import { acceptApproval } from './accept-approval.ts'
import { acknowledgePayout } from './acknowledge-payout.ts'
import { adjustBalance } from './adjust-balance.ts'
import { changeMarket } from './change-market.ts'
import {
  compareWithBooks,
  findOpen,
  openPayouts,
  type PayoutsOnChain,
  readTreasuryPayouts,
  type TreasuryPayouts,
} from './find-unowed-payouts.ts'
import { findUnreadWallets } from './find-unread-wallets.ts'
import { fundPool } from './fund-pool.ts'
import { limitCredit } from './limit-credit.ts'
import { rejectWithdrawal } from './reject-withdrawal.ts'
import { requireCreditedSweeps } from './require-credited-sweeps.ts'
import { takeBack } from './take-back.ts'

/** What an act needs from the chain. Null is what it does not need. */
export type ChainReading = {
  reserve: ReserveView | null
  payouts: TreasuryPayouts | null
  /** The wallets whose deposits may not all be in the books. */
  unread: ReadonlySet<string>
}

export const NO_READING: ChainReading = { reserve: null, payouts: null, unread: new Set() }

/**
 * Reads what an act needs from the chain, before its transaction: that would otherwise make everybody wait who acts at the
 * same time. Rejects with `ChainUnavailable`.
 */
export async function readChainFor(
  { db, chain, clock, log, treasury, cold }: StepDeps & { treasury: string; cold: readonly string[] },
  { kind, now }: { kind: Act['kind']; now: Date },
): Promise<ChainReading> {
  if (kind === 'fund') {
    await requireCreditedSweeps({ db, chain, clock, log }, treasury as Address)
    const reserve = await readReserve({ db, chain }, { treasury, cold, notBefore: 0n, now })
    return { ...NO_READING, reserve }
  }
  if (kind !== 'take-back' && kind !== 'acknowledge') return NO_READING
  const of = { chain, treasury: treasury as Address }
  const payouts = await readTreasuryPayouts({ db }, of)
  if (kind === 'acknowledge') return { ...NO_READING, payouts }
  const unread = await findUnreadWallets({ db, chain, clock, log }, { treasury: of.treasury, payouts })
  return { ...NO_READING, payouts, unread }
}

type Executing = { context: ActContext; reading: ChainReading }

/**
 * Does what a verified act says, in the transaction that records it, and returns the outcome as a sentence. What was read
 * from the chain is compared with the database again. Throws a `StartupError` with the reason if it is refused, and
 * `ChainUnavailable` if it must be tried again.
 */
export async function executeAct(
  tx: Tx,
  { context, reading }: Executing,
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
      const summary = await adjustBalance(tx, { wallet, class: creditClass, amount, reason, now })
      // After the limits of every adjustment, which another operator does not help with. A refusal undoes it.
      await limitCredit(tx, { operator, amount, limit: context.operators.creditPerDay, now })
      return summary
    }
    case 'fund':
      return fundPool(tx, { reserve: needed(reading.reserve), treasury, amount, reason: act.reason, now })
    case 'resume':
      return resume(tx, act.pauseId)
    case 'unfreeze':
      return unfreezeOne(tx, act)
    case 'market':
      return changeMarket(tx, { ...act, now })
    case 'take-back': {
      const payouts = openPayouts(await findPayouts(tx, reading))
      const sum = payouts.reduce((total, each) => total + each.amount, 0n)
      if (payouts.length !== Number(act.payouts) || sum !== amount) {
        throw new StartupError(
          `${payouts.length} payouts of ${formatExact(sum)} $COTTON are open now, which is not what the operator signed.`,
        )
      }
      return takeBack(tx, payouts, { who: operator.name, now, reason: act.reason, unread: reading.unread })
    }
    case 'acknowledge': {
      const payouts = await findPayouts(tx, reading)
      const of = { who: operator.name, now, why: act.reason, pool: act.debt === 'pool', left: amount }
      return acknowledgePayout(tx, findOpen(payouts, act.transaction), of)
    }
  }
}

const findPayouts = (tx: Tx, { payouts }: ChainReading): Promise<PayoutsOnChain> =>
  compareWithBooks(tx, needed(payouts))

function needed<T>(reading: T | null): T {
  // The act was not valid yet when the chain would have been read, for example because its operator was not named.
  if (reading === null) throw new ChainUnavailable('The chain was not read for this act. It is tried again.')
  return reading
}

async function resume(tx: Tx, pauseId: string): Promise<string> {
  const before = await lockPause(tx)
  if (!before) throw new StartupError('Withdrawals are not paused.')
  const since = `since ${before.since.toISOString()}: ${before.why}`
  if (before.id !== pauseId) {
    throw new StartupError(
      `It was signed for an earlier pause, or before another cause was added. Withdrawals are paused ${since}`,
    )
  }
  await resumeWithdrawals(tx)
  return `Withdrawals are resumed. They were paused ${since}`
}

type Unfreezing = { freezeId: string; wallet: string }

async function unfreezeOne(tx: Tx, { freezeId, wallet }: Unfreezing): Promise<string> {
  const before = await readFreeze(tx, wallet)
  if (!before) throw new StartupError(`The wallet ${wallet} is not frozen.`)
  if (before.id !== freezeId) {
    throw new StartupError(
      `It was signed for an earlier freeze. The wallet ${wallet} is frozen since ${before.since.toISOString()}: ${before.reason}`,
    )
  }
  await unfreezeWallet(tx, { wallet })
  return `Unfrozen: ${wallet}.`
}
