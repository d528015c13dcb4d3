import { useEffect, useState } from 'react'
import { useSession } from '#web/api/session.ts'
import { findAbsenceStart } from './last-seen.ts'

/** How often the visit is recorded: the accuracy of the last visit if the browser exits unexpectedly. */
const RECORD_EVERY_MS = 60_000

export type ReturnVisit = { walletAddress: string; since: number }

/** When the absence of a returning player started (ms, by the browser's clock); null for everyone else. */
export function useReturnVisit(): ReturnVisit | null {
  const { walletAddress } = useSession()
  const [visit, setVisit] = useState<ReturnVisit | null>(null)

  useEffect(() => {
    if (walletAddress === null) return
    const checkVisit = (): void => {
      const since = findAbsenceStart(walletAddress, Date.now())
      if (since !== null && !document.hidden) setVisit({ walletAddress, since })
    }
    // A hidden page records no visits; the moment it was hidden is its last one.
    const tick = (): void => {
      if (!document.hidden) checkVisit()
    }
    tick()
    const timer = setInterval(tick, RECORD_EVERY_MS)
    document.addEventListener('visibilitychange', checkVisit)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', checkVisit)
    }
  }, [walletAddress])

  return visit?.walletAddress === walletAddress ? visit : null
}
