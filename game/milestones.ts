import { type ContinentCode, CONTINENTS } from './continents.ts'
import { type Cotton, cotton } from './cotton.ts'
import { continentOf } from './parcels.ts'
import { WORKER_TYPES, type WorkerType } from './workers.ts'

/**
 * The types of the milestone `family`. Its code is stored, so a type that is added later is not one of them: players who have
 * the milestone would not have reached it.
 */
export const FAMILY: readonly WorkerType[] = ['kid', 'grandma', 'grandad', 'bigman']

/** How many workers of one type are a milestone. */
export const CREW_LEVELS = [2, 5, 10, 25, 100] as const

/** How much $COTTON a player has claimed in all. */
export const HARVEST_LEVELS: readonly Cotton[] = [
  1_000, 10_000, 50_000, 250_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
  100_000_000_000, 1_000_000_000_000,
].map((level) => cotton(level))

/** How many countries of the world are a milestone. */
export const COUNTRY_LEVELS = [1, 10, 50] as const

/** How much land of one continent is a milestone, besides all of it. */
export const CONTINENT_LEVELS = [3, 10] as const

/** On how many continents a player has had land. */
export const CONTINENT_COUNTS = [2, 4, CONTINENTS.length] as const

/** Something a player has reached once and for all. It is cosmetic: it pays nothing and changes no rate or price. */
export type Milestone = { code: string } & (
  | { kind: 'first-picker' | 'family' | 'first-sale' }
  | { kind: 'crew'; workerType: WorkerType; count: number }
  | { kind: 'harvest'; amount: Cotton }
  | { kind: 'countries' | 'continents'; count: number }
  | { kind: 'continent'; continent: ContinentCode; count: number }
  | { kind: 'whole-continent'; continent: ContinentCode }
)

/**
 * What milestones depend on. All that the player has only grows, so a milestone that was reached stays reached: workers are
 * never removed, claims only add, and land counts once the player has owned it, even after a sale.
 */
export type MilestoneFacts = {
  workers: Readonly<Record<WorkerType, number>>
  /** How many more of each type can be hired. */
  available: Readonly<Record<WorkerType, number>>
  /** All that the workers have paid out. */
  harvested: Cotton
  /** Whether another player has bought land from this one. */
  hasSold: boolean
  /** All land that has ever belonged to the player, without repetition. */
  parcelIds: readonly string[]
  /** How much land each continent has, without land that is neither offered nor owned. */
  landOf: Readonly<Record<ContinentCode, number>>
  /** How many countries the world has, counted in the same way. */
  countries: number
}

/** Every milestone: of each series the lower level first. Codes are stored, so they never change their meaning. */
export const MILESTONES: readonly Milestone[] = [
  { code: 'first-picker', kind: 'first-picker' },
  ...WORKER_TYPES.flatMap((workerType) =>
    CREW_LEVELS.map((count) => ({
      code: `${workerType}-${count}`,
      kind: 'crew' as const,
      workerType,
      count,
    })),
  ),
  { code: 'family', kind: 'family' },
  ...HARVEST_LEVELS.map((amount) => ({
    code: `harvest-${amount / cotton(1)}`,
    kind: 'harvest' as const,
    amount,
  })),
  ...COUNTRY_LEVELS.map((count) => ({ code: `countries-${count}`, kind: 'countries' as const, count })),
  ...CONTINENTS.flatMap((continent): Milestone[] => [
    ...CONTINENT_LEVELS.map((count) => ({
      code: `${continent}-${count}`,
      kind: 'continent' as const,
      continent,
      count,
    })),
    { code: `${continent}-all`, kind: 'whole-continent', continent },
  ]),
  ...CONTINENT_COUNTS.map((count) => ({ code: `continents-${count}`, kind: 'continents' as const, count })),
  { code: 'first-sale', kind: 'first-sale' },
]

const byCode = new Map(MILESTONES.map((milestone) => [milestone.code, milestone]))

/** The milestone with this code, or undefined. */
export function milestoneOf(code: string): Milestone | undefined {
  return byCode.get(code)
}

/** What the player has and what the milestone needs: base units of $COTTON for a harvest, else a count. */
export type Progress = { have: bigint; need: bigint }

/** How far the player is on the way to a milestone. `have` may exceed `need`. */
export function progressOf(milestone: Milestone, facts: MilestoneFacts): Progress {
  if (milestone.kind === 'harvest') return { have: facts.harvested, need: milestone.amount }
  return { have: BigInt(countOf(milestone, facts)), need: BigInt(countNeeded(milestone, facts)) }
}

type Counted = Exclude<Milestone, { kind: 'harvest' }>

function countOf(milestone: Counted, { workers, hasSold, parcelIds }: MilestoneFacts): number {
  switch (milestone.kind) {
    case 'first-picker':
      return WORKER_TYPES.reduce((sum, type) => sum + workers[type], 0)
    case 'crew':
      return workers[milestone.workerType]
    case 'family':
      return FAMILY.filter((type) => workers[type] > 0).length
    case 'first-sale':
      return Number(hasSold)
    case 'countries':
      return parcelIds.filter(isCountry).length
    case 'continents':
      return new Set(parcelIds.map(continentOf)).size
    case 'continent':
    case 'whole-continent':
      return parcelIds.filter((parcelId) => continentOf(parcelId) === milestone.continent).length
  }
}

function countNeeded(milestone: Counted, { landOf }: MilestoneFacts): number {
  if (milestone.kind === 'family') return FAMILY.length
  if (milestone.kind === 'whole-continent') return landOf[milestone.continent]
  return 'count' in milestone ? milestone.count : 1
}

/** Whether a parcel is a country. Sectors of Antarctica have numbers in place of a country code. */
export const isCountry = (parcelId: string): boolean => !/\d/.test(parcelId)

/** Whether the facts reach the milestone. A continent without land cannot be completed. */
export function isReached(milestone: Milestone, facts: MilestoneFacts): boolean {
  const { have, need } = progressOf(milestone, facts)
  return need > 0n && have >= need
}

/** All milestones that the facts reach. */
export function reachedMilestones(facts: MilestoneFacts): Milestone[] {
  return MILESTONES.filter((milestone) => isReached(milestone, facts))
}

/** The next milestone of each series that is not reached yet: the one most nearly reached first. */
export function nextMilestones(facts: MilestoneFacts): Milestone[] {
  const next = new Map<string, Milestone>()
  for (const milestone of MILESTONES) {
    const series = seriesOf(milestone)
    if (!next.has(series) && isPossible(milestone, facts) && !isReached(milestone, facts))
      next.set(series, milestone)
  }
  return [...next.values()].toSorted((a, b) => shareOf(b, facts) - shareOf(a, facts))
}

/** How much of the way to a milestone is done, from 0 to 1. */
export function shareOf(milestone: Milestone, facts: MilestoneFacts): number {
  const { have, need } = progressOf(milestone, facts)
  if (need <= 0n) return 0
  return have >= need ? 1 : Number((have * 10_000n) / need) / 10_000
}

function seriesOf(milestone: Milestone): string {
  if (milestone.kind === 'crew') return milestone.workerType
  if (milestone.kind === 'continent' || milestone.kind === 'whole-continent') return milestone.continent
  return milestone.kind
}

/** The world may have less land, land on fewer continents, or fewer workers of a type than a level asks for. */
function isPossible(
  milestone: Milestone,
  { workers, available, landOf, countries }: MilestoneFacts,
): boolean {
  const mostOf = (type: WorkerType): number => workers[type] + available[type]
  switch (milestone.kind) {
    case 'first-picker':
      return WORKER_TYPES.some((type) => mostOf(type) > 0)
    case 'crew':
      return milestone.count <= mostOf(milestone.workerType)
    case 'family':
      return FAMILY.every((type) => mostOf(type) > 0)
    case 'countries':
      return milestone.count <= countries
    case 'whole-continent':
      return landOf[milestone.continent] > 0
    case 'continent':
      return milestone.count < landOf[milestone.continent]
    case 'continents':
      return milestone.count <= CONTINENTS.filter((continent) => landOf[continent] > 0).length
    default:
      return true
  }
}
