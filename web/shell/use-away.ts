import { useEffect, useState } from 'react'
import { useSession } from '#web/api/session.ts'
import { look } from './last-seen.ts'

/** How exactly a browser that ends without a word knows when it was last looked at. */
const NOTE_EVERY_MS = 60_000

type Return = { walletAddress: string; since: number }

/** Since when (ms, by the browser's clock) the player who is back was away; null before they are, and for newcomers. */
export function useAway(): Return | null {
  const { walletAddress } = useSession()
  const [back, setBack] = useState<Return | null>(null)

  useEffect(() => {
    if (walletAddress === null) return
    const see = (): void => {
      const since = look(walletAddress, Date.now())
      if (since !== null && !document.hidden) setBack({ walletAddress, since })
    }
    // A page that nobody sees keeps no minutes; that it goes out of sight is the last that is known.
    const beat = (): void => {
      if (!document.hidden) see()
    }
    beat()
    const timer = setInterval(beat, NOTE_EVERY_MS)
    document.addEventListener('visibilitychange', see)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', see)
    }
  }, [walletAddress])

  return back?.walletAddress === walletAddress ? back : null
}
