import { useEffect, useState } from 'react'
import { useSession } from '#web/api/session.ts'
import { findAbsenceStart } from './last-seen.ts'

/** How exactly a browser that ends without a word knows when it was last looked at. */
const NOTE_EVERY_MS = 60_000

type ReturnVisit = { walletAddress: string; since: number }

/** Since when (ms, by the browser's clock) the player who is back was away; null before they are, and for newcomers. */
export function useReturnVisit(): ReturnVisit | null {
  const { walletAddress } = useSession()
  const [visit, setVisit] = useState<ReturnVisit | null>(null)

  useEffect(() => {
    if (walletAddress === null) return
    const checkVisit = (): void => {
      const since = findAbsenceStart(walletAddress, Date.now())
      if (since !== null && !document.hidden) setVisit({ walletAddress, since })
    }
    // A page that nobody sees keeps no minutes; that it goes out of sight is the last that is known.
    const tick = (): void => {
      if (!document.hidden) checkVisit()
    }
    tick()
    const timer = setInterval(tick, NOTE_EVERY_MS)
    document.addEventListener('visibilitychange', checkVisit)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', checkVisit)
    }
  }, [walletAddress])

  return visit?.walletAddress === walletAddress ? visit : null
}
