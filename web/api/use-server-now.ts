import { useEffect, useState } from 'react'
import { serverClock } from './server-clock.ts'

/** The farm's beat (S-99). */
const TICK_MS = 1_000

/** The server's time, told anew every second while the page is visible. */
export function useServerNow(): Date {
  const [now, setNow] = useState(() => serverClock.now())
  useEffect(() => {
    const tick = (): void => {
      if (!document.hidden) setNow(serverClock.now())
    }
    const timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [])
  return now
}
