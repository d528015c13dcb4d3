import { type RefObject, useLayoutEffect } from 'react'

/** Where the element that has the focus goes away with its card, the focus goes on to the element with this id. */
export function useFocusHeir(element: RefObject<HTMLElement | null>, heirId: string): void {
  useLayoutEffect(() => {
    const mine = element.current
    return () => {
      if (mine && mine === document.activeElement)
        document.getElementById(heirId)?.focus({ preventScroll: true })
    }
  }, [element, heirId])
}
