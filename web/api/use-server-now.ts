import { useSyncExternalStore } from 'react'
import { createStore } from '#web/store.ts'
import { serverClock } from './server-clock.ts'

/** The farm's beat (S-99). */
const TICK_MS = 1_000

const now = createStore(serverClock.now())
let subscriberCount = 0
let timer: ReturnType<typeof setInterval> | undefined

const tick = (): void => {
  if (!document.hidden) now.set(serverClock.now())
}

/** One timer beats for all who follow, and none when nobody does. */
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

/** The server's time, told anew every second while the page is visible; who is not `isActive` hears nothing. */
export function useServerNow(isActive = true): Date {
  return useSyncExternalStore(isActive ? subscribeToTicks : subscribeToNothing, now.get, now.getPrerendered)
}
