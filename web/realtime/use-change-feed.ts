import { useEffect } from 'react'

/**
 * Keeps the app's socket open while the caller is mounted. Its code is loaded after the page's own, and not at all on the
 * first page.
 */
export function useChangeFeed(): void {
  useEffect(() => {
    let stop: (() => void) | undefined
    let left = false
    const connect = async (): Promise<void> => {
      const { changeFeed } = await import('./world-state.ts')
      if (!left) stop = changeFeed.start()
    }
    // Pages that cannot load it still poll.
    connect().catch(() => undefined)
    return () => {
      left = true
      stop?.()
    }
  }, [])
}
