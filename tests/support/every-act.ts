import { randomUUID } from 'node:crypto'
import type { Act, ActKind } from '#contract/console/acts.ts'

/** A valid act of each kind, on a wallet and a withdrawal. */
export function everyAct(on: { wallet: string; withdrawalId: string }): Record<ActKind, Act> {
  const { wallet, withdrawalId } = on
  const [amount, reason] = ['5', 'seen on the console']
  return {
    approve: { kind: 'approve', withdrawalId, wallet, amount },
    reject: { kind: 'reject', withdrawalId, wallet, amount, reason },
    adjust: { kind: 'adjust', creditClass: 'earned', wallet, amount, reason },
    fund: { kind: 'fund', amount, reason },
    resume: { kind: 'resume', pauseId: randomUUID(), reason },
    unfreeze: { kind: 'unfreeze', freezeId: randomUUID(), wallet, reason },
    market: { kind: 'market', what: 'open', continent: 'EU', reason },
    'take-back': { kind: 'take-back', payouts: '1', amount, reason },
    acknowledge: { kind: 'acknowledge', transaction: '5'.repeat(88), amount, debt: 'none', reason },
  }
}
