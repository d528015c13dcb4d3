import { baseUnits, type Cotton } from '#game/cotton.ts'
import type { Accrual } from '#game/workers.ts'
import type { OwnedWorker } from './use-owned-workers.ts'

/** A number of $COTTON from the wire, which may be 0, in base units. */
const toBaseUnits = (amount: number): Cotton => baseUnits(BigInt(Math.round(amount * 1_000_000)))

/** What the server told about a worker, as the facts that the rules of the game compute with. */
export function accrualOf(worker: OwnedWorker): Accrual {
  return {
    base: toBaseUnits(worker.totalGeneratedTokens),
    ratePerHour: worker.generationRate,
    since: new Date(worker.lastTokenUpdate),
    claimed: toBaseUnits(worker.claimedGeneratedTokens),
  }
}
