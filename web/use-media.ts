import { useCallback, useSyncExternalStore } from 'react'

/** Whether the window matches a media query. Prerendered pages serve every window and get `prerendered`. */
export function useMedia(query: string, prerendered: boolean): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const watched = window.matchMedia(query)
      watched.addEventListener('change', listener)
      return () => watched.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => prerendered,
  )
}
