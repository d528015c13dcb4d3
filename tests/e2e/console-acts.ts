import type { Act } from '#contract/console/acts.ts'
import { type ActView, ago, type ConsoleWorld } from './console-world.ts'

type Signer = { wallet: string; name: string }

/** Stores an act and, after the signer's delay, does what the signer would do. */
export function executeAct(
  world: ConsoleWorld,
  { act, nonce, operator }: { act: Act; nonce: string; operator: Signer },
): void {
  const stored: ActView = {
    nonce,
    kind: act.kind,
    withdrawalId: 'withdrawalId' in act ? act.withdrawalId : null,
    operator: operator.wallet,
    name: operator.name,
    at: ago(0),
    expiresAt: ago(-10),
    state: 'waiting',
    outcome: null,
    doneAt: null,
    details: JSON.stringify(act),
  }
  world.acts.unshift(stored)
  world.version += 1
  setTimeout(() => {
    const refusal = findRefusal(world, act, operator)
    stored.state = refusal ? 'refused' : 'done'
    stored.outcome = refusal ?? applyAct(world, act, operator)
    stored.doneAt = ago(0)
    world.version += 1
  }, world.signerDelayMs)
}

function findRefusal(world: ConsoleWorld, act: Act, operator: Signer): string | null {
  if (act.kind !== 'approve' && act.kind !== 'reject') return null
  const found = world.withdrawals.find(({ id }) => id === act.withdrawalId)
  if (!found || found.state !== 'review')
    return 'The withdrawal is not in review any more. Nothing was changed.'
  if (found.approvals.some(({ wallet }) => wallet === operator.wallet))
    return 'You have approved it already. Nothing was changed.'
  return null
}

/** Does what an act says. Returns the sentence about it. */
function applyAct(world: ConsoleWorld, act: Act, { wallet, name }: Signer): string {
  switch (act.kind) {
    case 'approve': {
      const found = world.withdrawals.find(({ id }) => id === act.withdrawalId)!
      found.approvals.push({ wallet, name, at: ago(0) })
      if (found.approvals.length < found.needed) return 'Approved. A second operator must approve it too.'
      found.state = 'approved'
      return 'Approved. The signer pays it.'
    }
    case 'reject': {
      world.withdrawals.find(({ id }) => id === act.withdrawalId)!.state = 'refunded'
      return 'Rejected. The amount is back in the balance.'
    }
    case 'resume':
      world.pause = null
      return 'Withdrawals are resumed.'
    case 'unfreeze':
      world.frozen.delete(act.wallet)
      return 'The wallet can move value again.'
    case 'market':
      if (act.what === 'open') world.marketsOpenedEarly.add(act.continent)
      else world.marketsOpenedEarly.delete(act.continent)
      return `The market of ${act.continent} is ${act.what === 'open' ? 'open' : 'closed'}.`
    default:
      return `Executed: ${act.kind}.`
  }
}
