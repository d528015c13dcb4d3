import { useSyncExternalStore } from 'react'
import { createStore } from '#web/store.ts'
import { serverClock } from './server-clock.ts'

/** The interval of the farm's ticks (S-99). */
const TICK_MS = 1_000

const now = createStore(serverClock.now())
let subscriberCount = 0
let timer: ReturnType<typeof setInterval> | undefined

const tick = (): void => {
  if (!document.hidden) now.set(serverClock.now())
}

/** All subscribers share one timer. Without subscribers there is none. */
function subscribeToTicks(listener: () => void): () => void {
  const unsubscribe = now.subscribe(listener)
  if (subscriberCount++ === 0) {
    tick()
    timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', tick)
  }
  return () => {
    unsubscribe()
    if (--subscriberCount > 0) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

const subscribeToNothing = (): (() => void) => () => undefined

/** The server's time, updated every second while the page is visible and `isActive` is true. */
export function useServerNow(isActive = true): Date {
  return useSyncExternalStore(isActive ? subscribeToTicks : subscribeToNothing, now.get, now.getPrerendered)
}

/** What follows from the server's time. Renders only when the result changes, so it must be a primitive value. */
export function useAtServerNow<T extends bigint | boolean | undefined>(
  compute: (now: Date) => T,
  isActive = true,
): T {
  return useSyncExternalStore(
    isActive ? subscribeToTicks : subscribeToNothing,
    () => compute(now.get()),
    () => compute(now.getPrerendered()),
  )
}
