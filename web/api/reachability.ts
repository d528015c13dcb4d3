import { createStore } from '#web/store.ts'

/** Why the game does not respond: it is unreachable, or it reports that it is busy. */
export type Outage = 'unreachable' | 'busy'

/** The result of the last call, and the time of the last response. */
export const reachability = createStore<{ outage: Outage | null; lastResponseAt: Date | null }>({
  outage: null,
  lastResponseAt: null,
})

export function recordResponse(): void {
  reachability.set({ outage: null, lastResponseAt: new Date() })
}

export function recordOutage(outage: Outage): void {
  if (reachability.get().outage !== outage) reachability.set({ ...reachability.get(), outage })
}
