import { focusIfLost } from './focus-if-lost.ts'

const CONTROLS = 'a[href], button, input, select, summary, [role="tab"], [role="button"]'

/**
 * Moves a region above the page to the first place where its children cover no control, or to the preferred one if there
 * is none. It stays where it is as long as that place is free. The style sheet of the region positions each `data-place`.
 */
export function moveToFreePlace(region: HTMLElement, [preferred, ...others]: readonly [string, ...string[]]) {
  const controls = [...document.querySelectorAll(CONTROLS)]
    .filter((control) => !region.contains(control) && control.checkVisibility({ visibilityProperty: true }))
    .map((control) => control.getBoundingClientRect())
  const isFree = (place: string): boolean => {
    region.dataset.place = place
    const boxes = [...region.children].map((child) => child.getBoundingClientRect())
    return boxes.every(({ left, right, top, bottom }) =>
      controls.every(
        (box) => box.right <= left || box.left >= right || box.bottom <= top || box.top >= bottom,
      ),
    )
  }
  const current = region.dataset.place ?? preferred
  region.dataset.place = [current, preferred, ...others].find(isFree) ?? preferred
}

/** What had the focus before it came to a toast. */
let origin: EventTarget | null = null

/**
 * Follows the focus while a toast is shown. Returns a function for when the toast is removed: its focus moves to the
 * button of the next toast, or back to where it came from.
 */
export function followFocus(toast: HTMLElement): () => void {
  const region = toast.parentElement
  toast.addEventListener('focusin', ({ relatedTarget }) => (origin = relatedTarget))
  return () => {
    if (!toast.contains(document.activeElement)) return
    // The next toast is visible once this one is removed.
    queueMicrotask(() => {
      const returnTo = origin
      focusIfLost((region?.isConnected && region.lastElementChild?.querySelector('button')) || returnTo)
      // The next toast got the focus from the one before it.
      origin = returnTo
    })
  }
}
