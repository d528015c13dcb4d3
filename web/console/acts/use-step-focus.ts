import { type RefObject, useEffect } from 'react'

/** Moves the focus to this part of a dialog when a step has removed the button that had it. */
export function useStepFocus(part: RefObject<HTMLElement | null>, step: string | boolean): void {
  useEffect(() => {
    if (document.activeElement === document.body) part.current?.focus({ preventScroll: true })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the step decides when, not where
  }, [part, step])
}
