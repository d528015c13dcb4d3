import { APP_AWAKE, APP_LOST } from './app-events.ts'

/**
 * Keeps the presses of buttons that come before the app is there to hear them, and has them done in their order once it
 * is. What is pressed again because nothing happened is pressed once. A link needs no app.
 */
export function keepPresses(): void {
  const pressed: HTMLElement[] = []
  const keep = (event: Event): void => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button) return
    // Half of the app may hear it already.
    event.stopPropagation()
    if (pressed.at(-1) !== button) pressed.push(button)
  }
  const stop = (): void => document.removeEventListener('click', keep, true)
  document.addEventListener('click', keep, true)
  document.addEventListener(APP_LOST, stop)
  document.addEventListener(APP_AWAKE, () => {
    stop()
    void press(pressed)
  })
}

async function press(buttons: readonly HTMLElement[]): Promise<void> {
  for (const button of buttons) {
    if (isInReach(button)) button.click()
    // What a press has brought is drawn before the next one.
    await Promise.resolve()
  }
}

/** Nobody presses what is gone, or lies behind what an earlier press has opened. */
function isInReach(button: HTMLElement): boolean {
  const modal = document.querySelector('dialog:modal')
  return button.isConnected && !button.closest('[inert]') && (!modal || modal.contains(button))
}
