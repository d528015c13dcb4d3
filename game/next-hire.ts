import { type Cotton, ZERO } from './cotton.ts'
import { FAMILY, isReached, type Milestone, MILESTONES, type MilestoneFacts } from './milestones.ts'
import { WORKER_TYPES, type WorkerType, WORKERS } from './workers.ts'

/** The next worker to hire on the way to a milestone. */
export type HireGoal = {
  milestone: Milestone
  workerType: WorkerType
  price: Cotton
  /** How many workers of this type the player has. */
  owned: number
}

type Missing = Partial<Record<WorkerType, number>>

/**
 * The hire that brings the player closer to the milestone of workers that costs least to reach. Null once all are
 * reached, or if too few workers are available for the rest.
 */
export function nextHire(facts: MilestoneFacts): HireGoal | null {
  let best: { milestone: Milestone; missing: Missing; cost: Cotton } | null = null
  for (const milestone of MILESTONES) {
    const missing = missingWorkers(milestone, facts)
    if (!missing || isReached(milestone, facts)) continue
    const cost = costOf(missing)
    if (!best || cost < best.cost) best = { milestone, missing, cost }
  }
  if (!best) return null
  const { milestone, missing } = best
  const workerType = WORKER_TYPES.find((type) => (missing[type] ?? 0) > 0) ?? 'kid'
  return { milestone, workerType, price: WORKERS[workerType].price, owned: facts.workers[workerType] }
}

/** The workers that a milestone still needs; null for other milestones and if too few are available. */
function missingWorkers(milestone: Milestone, { workers, available }: MilestoneFacts): Missing | null {
  const missing = ((): Missing | null => {
    if (milestone.kind === 'crew')
      return { [milestone.workerType]: milestone.count - workers[milestone.workerType] }
    if (milestone.kind === 'family')
      return Object.fromEntries(FAMILY.filter((type) => workers[type] === 0).map((type) => [type, 1]))
    if (milestone.kind !== 'first-picker') return null
    const cheapest = WORKER_TYPES.find((type) => available[type] > 0)
    return cheapest ? { [cheapest]: 1 } : null
  })()
  const isAvailable = WORKER_TYPES.every((type) => (missing?.[type] ?? 0) <= available[type])
  return isAvailable ? missing : null
}

const costOf = (missing: Missing): Cotton =>
  WORKER_TYPES.reduce((sum, type) => (sum + WORKERS[type].price * BigInt(missing[type] ?? 0)) as Cotton, ZERO)

/**
 * Milliseconds until credit that grows at this rate reaches an amount: 0 if it has, null if it does not grow. Rounded up;
 * 18/5 is 3.6 × 10⁶ ms over 10⁶ base units.
 */
export function msUntil({
  have,
  need,
  ratePerHour,
}: {
  have: Cotton
  need: Cotton
  ratePerHour: number
}): number | null {
  if (have >= need) return 0
  const rate = BigInt(Math.floor(ratePerHour)) * 5n
  if (rate <= 0n) return null
  return Number(((need - have) * 18n + rate - 1n) / rate)
}
