import { useSyncExternalStore } from 'react'

/** A value outside of React that components can follow. */
export type Store<T> = {
  get: () => T
  set: (next: T) => void
  subscribe: (listener: () => void) => () => void
  /** What it was when the build drew the pages, where nothing is known of who will read them. */
  getPrerendered: () => T
}

export function createStore<T>(initial: T, prerendered = initial): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getPrerendered: () => prerendered,
  }
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.getPrerendered)
}
