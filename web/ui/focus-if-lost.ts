/**
 * Focuses this element if what had the focus was removed from the page, or the main part if this element is gone, too.
 * Otherwise a keyboard starts again at the top of the page.
 */
export function focusIfLost(element: EventTarget | null | undefined): void {
  if (document.activeElement !== document.body) return
  const canFocus = element instanceof HTMLElement || element instanceof SVGElement
  const target = canFocus && element.isConnected ? element : document.getElementById('main')
  target?.focus({ preventScroll: true })
}
