import { useSyncExternalStore } from 'react'
import { serverClock } from '#web/api/server-clock.ts'

const STEP_MS = 5_000

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, STEP_MS)
  return () => clearInterval(timer)
}

/** The server's time in milliseconds, in steps of five seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(serverClock.now().getTime() / STEP_MS) * STEP_MS)
}
