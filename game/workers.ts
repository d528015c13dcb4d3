import { type Cotton, cotton, wholeOf, ZERO } from './cotton.ts'

/** The worker types in the order in which the game always shows them (S-49). */
export const WORKER_TYPES = ['kid', 'grandma', 'grandad', 'bigman'] as const

export type WorkerType = (typeof WORKER_TYPES)[number]

/** A record with a value for each worker type, in their order. */
export function mapWorkerTypes<T>(valueOf: (type: WorkerType) => T): Record<WorkerType, T> {
  return Object.fromEntries(WORKER_TYPES.map((type) => [type, valueOf(type)])) as Record<WorkerType, T>
}

export type WorkerKind = {
  name: string
  price: Cotton
  /** Whole $COTTON that one worker of this type generates in an hour. */
  ratePerHour: number
  /** The `apy` of the spec: the credit that a worker generates in a year, in percent of its price. Never shown. */
  apy: number
  /** The default supply of this type. */
  maxSupply: number
}

/** Prices and rates of spec §3; supplies of design §9. */
export const WORKERS: Readonly<Record<WorkerType, WorkerKind>> = {
  kid: { name: 'Kid', price: cotton(50_000), ratePerHour: 5_000, apy: 87_600, maxSupply: 10_000 },
  grandma: { name: 'Grandma', price: cotton(100_000), ratePerHour: 13_000, apy: 113_880, maxSupply: 5_000 },
  grandad: { name: 'Grandad', price: cotton(250_000), ratePerHour: 40_000, apy: 140_160, maxSupply: 2_000 },
  bigman: { name: 'BigMan', price: cotton(500_000), ratePerHour: 100_000, apy: 175_200, maxSupply: 1_000 },
}

/** What a worker has generated is computed from these four facts. No timer increments anything. */
export type Accrual = {
  /** Generated before `since`. */
  base: Cotton
  ratePerHour: number
  since: Date
  /** Paid out so far. Only a claim changes it. */
  claimed: Cotton
}

/**
 * Everything that a worker has generated up to `now`: base + ⌊rate × ms × 5 / 18⌋ base units.
 * 5/18 is 10⁶ base units over 3.6 × 10⁶ ms. Multiplying first keeps it exact. A clock before `since` adds nothing.
 */
export function generated(worker: Accrual, now: Date): Cotton {
  const elapsedMs = Math.max(0, now.getTime() - worker.since.getTime())
  return (worker.base + (BigInt(worker.ratePerHour) * BigInt(elapsedMs) * 5n) / 18n) as Cotton
}

/** What a claim would pay at `now`: whole $COTTON, never below zero. The fraction stays with the worker. */
export function claimable(worker: Accrual, now: Date): Cotton {
  const open = (generated(worker, now) - worker.claimed) as Cotton
  return open > 0n ? wholeOf(open) : ZERO
}

/** `kid-0042`: the type and the worker's number within its supply, so an id is never used twice. */
export function workerId(type: WorkerType, number: number): string {
  return `${type}-${String(number).padStart(4, '0')}`
}

/** The number within the supply of its type in a worker's id. */
export function placeOf(type: WorkerType, id: string): number {
  return Number(id.slice(type.length + 1))
}
