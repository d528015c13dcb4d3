import { useSyncExternalStore } from 'react'
import { createStore } from '#web/store.ts'
import { serverClock } from './server-clock.ts'

/** The farm's beat (S-99). */
const TICK_MS = 1_000

const now = createStore(serverClock.now())
let followers = 0
let timer: ReturnType<typeof setInterval> | undefined

const tick = (): void => {
  if (!document.hidden) now.set(serverClock.now())
}

/** One timer beats for all who follow, and none when nobody does. */
function follow(listener: () => void): () => void {
  const leave = now.subscribe(listener)
  if (followers++ === 0) {
    tick()
    timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', tick)
  }
  return () => {
    leave()
    if (--followers > 0) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

const rest = (): (() => void) => () => undefined

/** The server's time, told anew every second while the page is visible; who is not `awake` hears nothing. */
export function useServerNow(awake = true): Date {
  return useSyncExternalStore(awake ? follow : rest, now.get, now.atBuild)
}
