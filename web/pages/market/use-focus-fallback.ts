import { type RefObject, useLayoutEffect } from 'react'

/** Where the element that has the focus goes away with its card, the focus goes on to the element with this id. */
export function useFocusFallback(element: RefObject<HTMLElement | null>, fallbackId: string): void {
  useLayoutEffect(() => {
    const focusable = element.current
    return () => {
      if (focusable && focusable === document.activeElement)
        document.getElementById(fallbackId)?.focus({ preventScroll: true })
    }
  }, [element, fallbackId])
}
