import { createStore } from '#web/store.ts'

/** Why the game does not answer: nothing comes back, or it says that it cannot just now. */
export type Outage = 'unreachable' | 'busy'

/** How the last call went, and when an answer came last. */
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
