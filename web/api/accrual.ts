import type { Accrual } from '#game/workers.ts'
import type { OwnedWorker } from './use-owned-workers.ts'

/** A worker of a reply as the facts that the rules of the game compute with. */
export function accrualOf(worker: OwnedWorker): Accrual {
  return {
    base: worker.totalGeneratedTokens,
    ratePerHour: worker.generationRate,
    since: new Date(worker.lastTokenUpdate),
    claimed: worker.claimedGeneratedTokens,
  }
}
