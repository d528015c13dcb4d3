import { type RefObject, useLayoutEffect } from 'react'

/** Moves the focus to the element with this id when the focused element is unmounted. */
export function useFocusFallback(element: RefObject<HTMLElement | null>, fallbackId: string): void {
  useLayoutEffect(() => {
    const focusable = element.current
    return () => {
      if (focusable && focusable === document.activeElement)
        document.getElementById(fallbackId)?.focus({ preventScroll: true })
    }
  }, [element, fallbackId])
}
