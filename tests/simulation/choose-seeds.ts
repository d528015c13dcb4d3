import { Coverage } from './coverage.ts'
import { countMissing } from './find-missing-coverage.ts'

type World = { seed: number; counts: Coverage['counts'] }

/** The seeds of a few worlds that together met what all of these did: the next one is always that which adds most. */
export function chooseSeeds(worlds: readonly World[]): number[] {
  const chosen = new Coverage()
  const left = new Set(worlds)
  const count = (coverage: Coverage): number => countMissing(coverage, { covered: false })
  const countWith = ({ counts }: World): number => {
    const coverage = new Coverage()
    coverage.add(chosen.counts)
    coverage.add(counts)
    return count(coverage)
  }
  while (count(chosen) > 0 && left.size > 0) {
    const counted = [...left].map((world) => ({ world, missing: countWith(world) }))
    const { world } = counted.toSorted((a, b) => a.missing - b.missing)[0]!
    chosen.add(world.counts)
    left.delete(world)
  }
  return worlds.filter((world) => !left.has(world)).map(({ seed }) => seed)
}
