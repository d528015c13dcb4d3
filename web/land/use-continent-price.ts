import type { ContinentCode } from '#game/continents.ts'
import type { Cotton } from '#game/cotton.ts'
import { worldState } from '#web/realtime/world-state.ts'
import { useSelected } from '#web/store.ts'

/** The price of free land on a continent, which every socket receives; null until it is known. */
export function useContinentPrice(code: ContinentCode): Cotton | null {
  return useSelected(worldState, (world) => world[code]?.price?.amount ?? null)
}
