import { useEffect } from 'react'

/**
 * Keeps the app's socket open for as long as the caller stands. The code of it comes after the page's own; the first
 * page of all never loads it.
 */
export function useNewsLine(): void {
  useEffect(() => {
    let stop: (() => void) | undefined
    let left = false
    const begin = async (): Promise<void> => {
      const { newsLine } = await import('./news.ts')
      if (!left) stop = newsLine.start()
    }
    // Where the code does not come pages still ask for their news.
    begin().catch(() => undefined)
    return () => {
      left = true
      stop?.()
    }
  }, [])
}
