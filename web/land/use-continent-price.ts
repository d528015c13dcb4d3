import { useSyncExternalStore } from 'react'
import type { ContinentCode } from '#game/continents.ts'
import type { Cotton } from '#game/cotton.ts'
import type { WorldState } from '#web/realtime/land-changes.ts'
import { worldState } from '#web/realtime/world-state.ts'

/** The price of free land on a continent, which every socket receives; null until it is known. */
export function useContinentPrice(code: ContinentCode): Cotton | null {
  return useSyncExternalStore(
    worldState.subscribe,
    () => priceIn(worldState.get(), code),
    () => priceIn(worldState.getPrerendered(), code),
  )
}

const priceIn = (world: WorldState, code: ContinentCode): Cotton | null => world[code]?.price?.amount ?? null
