import { useEffect } from 'react'
import { useStore } from '#web/store.ts'
import { pollEveryMs } from './freshness.ts'
import { changeFeed } from './world-state.ts'

/**
 * Polls every `pollEveryMs`, except in a hidden tab and while a response is pending.
 */
export function usePolling(
  refetch: (options: { cancelRefetch: boolean }) => Promise<unknown>,
  failed: boolean,
  { whileOpen = true }: { whileOpen?: boolean } = {},
): void {
  const everyMs = pollEveryMs(useStore(changeFeed.state), failed, whileOpen)
  useEffect(() => {
    if (everyMs === false) return
    const ask = (): void => {
      if (!document.hidden) void refetch({ cancelRefetch: false })
    }
    const timer = setInterval(ask, everyMs)
    return () => clearInterval(timer)
  }, [everyMs, refetch])
}
