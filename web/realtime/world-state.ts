import type { ServerMessage } from '#contract/realtime.ts'
import type { ContinentCode } from '#game/continents.ts'
import { latestAnnouncements } from '#web/api/announcements.ts'
import { queryClient } from '#web/api/query-client.ts'
import { createStore, useSelected } from '#web/store.ts'
import {
  type ContinentState,
  applyMessage,
  EMPTY_WORLD,
  withoutVersions,
  type WorldState,
} from './land-changes.ts'
import { createChangeFeed } from './change-feed.ts'
import { updateMarket } from './update-market.ts'
import { updateWorkerTypes } from './update-worker-types.ts'

/** The known state of all land, from frames and replies. */
export const worldState = createStore<WorldState>(EMPTY_WORLD)

/** The time of the last update by the browser's clock, and whether the last read failed. */
export const lastUpdate = createStore<{ at: Date | null; lastReadFailed: boolean }>({
  at: null,
  lastReadFailed: false,
})

export function updateWorld(change: (world: WorldState) => WorldState): void {
  worldState.set(change(worldState.get()))
}

export function recordUpdate(): void {
  lastUpdate.set({ at: new Date(), lastReadFailed: false })
}

export function recordReadFailure(): void {
  lastUpdate.set({ ...lastUpdate.get(), lastReadFailed: true })
}

function receiveMessage(message: ServerMessage): void {
  recordUpdate()
  if (message.type === 'workerUpdate') updateWorkerTypes(queryClient, message.data)
  else if (message.type === 'listingUpdate') updateMarket(queryClient, message.data)
  else if (message.type === 'announcements') latestAnnouncements.set(message.data)
  else updateWorld((world) => applyMessage(world, message))
}

export const changeFeed = createChangeFeed({
  open: () => new WebSocket(`${window.location.origin.replace(/^http/, 'ws')}/ws`),
  onMessage: receiveMessage,
})

// Its first frames are the state of the server, also if that is an older one.
changeFeed.state.subscribe(() => {
  if (changeFeed.state.get() === 'open') updateWorld(withoutVersions)
})

/** The state of a continent. A sale on another one renders nothing: a busy world has many. */
export function useContinentState(code: ContinentCode): ContinentState {
  return useSelected(worldState, (world) => world[code])
}
