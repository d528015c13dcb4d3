import type { Milestone } from '#game/milestones.ts'
import { createStore } from '#web/store.ts'

/** Milestones that one call granted. They are celebrated together. */
export type Celebration = { id: number; walletAddress: string; milestones: readonly Milestone[] }

/** The celebrations that wait, the current one first. */
export const celebrations = createStore<readonly Celebration[]>([])

const celebrated = new Set<string>()
let count = 0

/** Shows a celebration. A milestone that this page has celebrated before is left out: a repeated response names it again. */
export function celebrateOnce(walletAddress: string, milestones: readonly Milestone[]): void {
  const fresh = milestones.filter(({ code }) => !celebrated.has(`${walletAddress} ${code}`))
  if (fresh.length === 0) return
  for (const { code } of fresh) celebrated.add(`${walletAddress} ${code}`)
  count += 1
  celebrations.set([...celebrations.get(), { id: count, walletAddress, milestones: fresh }])
}

export function endCelebration(id: number): void {
  celebrations.set(celebrations.get().filter((each) => each.id !== id))
}
