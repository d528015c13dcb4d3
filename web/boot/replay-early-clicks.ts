import { APP_READY, APP_FAILED } from './app-events.ts'

/**
 * Queues clicks on buttons until the app has hydrated, then replays them in order. Repeated clicks on the same button
 * count once. Links work without the app.
 */
export function replayEarlyClicks(): void {
  const clicked: HTMLElement[] = []
  const capture = (event: Event): void => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button) return
    // During hydration, parts of the app may already handle events.
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
    // React renders the result of a click before the next one.
    await Promise.resolve()
  }
}

/** False if the button has been removed or is behind a modal that an earlier click opened. */
function isReachable(button: HTMLElement): boolean {
  const modal = document.querySelector('dialog:modal')
  return button.isConnected && !button.closest('[inert]') && (!modal || modal.contains(button))
}
