import { useEffect } from 'react'

/**
 * Keeps the app's socket open for as long as the caller stands. The code of it comes after the page's own; the first
 * page of all never loads it.
 */
export function useChangeFeed(): void {
  useEffect(() => {
    let stop: (() => void) | undefined
    let left = false
    const connect = async (): Promise<void> => {
      const { changeFeed } = await import('./world-state.ts')
      if (!left) stop = changeFeed.start()
    }
    // Where the code does not come pages still ask for their news.
    connect().catch(() => undefined)
    return () => {
      left = true
      stop?.()
    }
  }, [])
}
