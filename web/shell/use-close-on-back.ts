import { useEffect } from 'react'

/** Closes the menu or a dialog above the page when the browser goes back or forward. */
export function useCloseOnBack(open: boolean, close: () => void): void {
  useEffect(() => {
    if (!open) return
    // Captured, so that it comes before the router: the heading of the next page cannot get the focus while it is inert.
    window.addEventListener('popstate', close, true)
    return () => window.removeEventListener('popstate', close, true)
  }, [open, close])
}
