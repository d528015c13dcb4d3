import { APP_READY, APP_FAILED } from './app-events.ts'

/**
 * Keeps the presses of buttons that come before the app is there to hear them, and has them done in their order once it
 * is. What is pressed again because nothing happened is pressed once. A link needs no app.
 */
export function replayEarlyClicks(): void {
  const clicked: HTMLElement[] = []
  const capture = (event: Event): void => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button) return
    // Half of the app may hear it already.
    event.stopPropagation()
    if (clicked.at(-1) !== button) clicked.push(button)
  }
  const stop = (): void => document.removeEventListener('click', capture, true)
  document.addEventListener('click', capture, true)
  document.addEventListener(APP_FAILED, stop)
  document.addEventListener(APP_READY, () => {
    stop()
    void replay(clicked)
  })
}

async function replay(buttons: readonly HTMLElement[]): Promise<void> {
  for (const button of buttons) {
    if (isReachable(button)) button.click()
    // What a press has brought is drawn before the next one.
    await Promise.resolve()
  }
}

/** Nobody presses what is gone, or lies behind what an earlier press has opened. */
function isReachable(button: HTMLElement): boolean {
  const modal = document.querySelector('dialog:modal')
  return button.isConnected && !button.closest('[inert]') && (!modal || modal.contains(button))
}
