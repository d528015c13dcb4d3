import { type RefObject, useLayoutEffect } from 'react'

/** Moves the focus to the element with this id when a part of the page is unmounted that has the focus. */
export function useFocusFallback(part: RefObject<HTMLElement | null>, fallbackId: string): void {
  useLayoutEffect(() => {
    const element = part.current
    return () => {
      if (element?.contains(document.activeElement))
        document.getElementById(fallbackId)?.focus({ preventScroll: true })
    }
  }, [part, fallbackId])
}
