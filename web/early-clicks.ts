/**
 * Keeps the last press of a button that came before the app was there to hear it, and gives back how to press it again.
 * A link needs no app.
 */
export function clicksUntilReady(): () => void {
  let pressed: HTMLElement | null = null
  const keep = (event: Event): void => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button) return
    // Half of the app may hear it already.
    event.stopPropagation()
    pressed = button
  }
  document.addEventListener('click', keep, true)
  return () => {
    document.removeEventListener('click', keep, true)
    if (pressed?.isConnected) pressed.click()
  }
}
