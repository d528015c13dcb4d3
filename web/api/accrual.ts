import type { Accrual } from '#game/workers.ts'
import type { OwnedWorker } from './use-owned-workers.ts'

const accruals = new WeakMap<OwnedWorker, Accrual>()

/** A worker of a reply as the facts that the rules of the game compute with. Computed once per worker of a reply. */
export function accrualOf(worker: OwnedWorker): Accrual {
  const known = accruals.get(worker)
  if (known) return known
  const accrual = {
    base: worker.totalGeneratedTokens,
    ratePerHour: worker.generationRate,
    since: new Date(worker.lastTokenUpdate),
    claimed: worker.claimedGeneratedTokens,
  }
  accruals.set(worker, accrual)
  return accrual
}
