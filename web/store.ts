import { useSyncExternalStore } from 'react'

/** A value outside of React that components can subscribe to. */
export type Store<T> = {
  get: () => T
  set: (next: T) => void
  subscribe: (listener: () => void) => () => void
  /** The value in prerendered pages, which are the same for every reader. */
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

/** What `select` finds in the value of a store. Renders only when that changes, so it must not be created by `select`. */
export function useSelected<T, Found>(store: Store<T>, select: (value: T) => Found): Found {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.get()),
    () => select(store.getPrerendered()),
  )
}
