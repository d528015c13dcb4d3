import { useEffect } from 'react'
import { createStore, useStore } from '#web/store.ts'

const RETRY_AFTER_MS = 5_000

/**
 * A hook for facts that never change while the page is open. The first component that uses it starts the read, which
 * is repeated only after a failure. The first page needs no query library for it.
 */
export function createReadOnceHook<T>(read: () => Promise<T>): () => T | undefined {
  const result = createStore<T | undefined>(undefined)
  let reading = false
  const start = (): void => {
    if (reading || result.get() !== undefined) return
    reading = true
    read()
      .then(result.set)
      .catch(() => setTimeout(start, RETRY_AFTER_MS))
      .finally(() => {
        reading = false
      })
  }
  return function useOnce() {
    useEffect(start, [])
    return useStore(result)
  }
}
