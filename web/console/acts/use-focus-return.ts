import { type RefObject, useLayoutEffect } from 'react'

/**
 * Moves the focus to the page's heading if it was in this part, or in the dialog around it, when the part is removed.
 * Otherwise a keyboard starts again at the top of the page. A dialog whose button is still there returns the focus itself.
 */
export function useFocusReturn(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current?.closest('dialog') ?? part.current
    return () => {
      if (element?.contains(document.activeElement)) queueMicrotask(focusHeadingIfLost)
    }
  }, [part])
}

function focusHeadingIfLost(): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
}
