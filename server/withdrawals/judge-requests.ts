import { totalOf } from '#game/credit.ts'
import { isHeld } from './check-hold.ts'
import { isOrdinaryWallet } from './destination.ts'
import { moveWithdrawal, type OpenWithdrawal, readWithdrawalsIn } from './open-withdrawals.ts'
import { judge, type Verdict } from './policy.ts'
import type { Signer } from './signer.ts'

/** Judges what was requested: it is approved, or it waits for the operator with a reason that the player can read. */
export async function judgeRequests(signer: Signer): Promise<void> {
  for (const withdrawal of await readWithdrawalsIn(signer.db, 'requested')) {
    const { state, reason } = await verdictOn(signer, withdrawal)
    await moveWithdrawal(signer.db, { id: withdrawal.id, from: 'requested', to: state, reason })
  }
}

async function verdictOn({ db, chain, log }: Signer, withdrawal: OpenWithdrawal): Promise<Verdict> {
  const { id, wallet } = withdrawal
  if (!(await isHeld(db, withdrawal))) {
    log.error({ withdrawal: id }, 'the ledger does not hold what this withdrawal asks for')
    return { state: 'review', reason: 'Our books need a look first. Your tokens are safe.' }
  }
  if (!isOrdinaryWallet(wallet)) {
    log.error({ withdrawal: id }, 'this withdrawal goes to no ordinary wallet')
    return {
      state: 'review',
      reason: 'This wallet cannot receive tokens by itself. The operator takes care of it.',
    }
  }
  return judge({ cluster: chain.facts.cluster, amount: totalOf(withdrawal) })
}
