import { APP_FAILED } from './app-events.ts'

/**
 * Shows a message if the app fails to load, because the connection was lost or a newer build has replaced its files. The
 * prerendered page remains, and its links still work.
 */
export function watchLoadFailure(): void {
  // Browser extensions add scripts of other origins.
  const isOwnScript = (target: EventTarget | null): boolean =>
    target instanceof HTMLScriptElement && target.src.startsWith(window.location.origin)
  const onError = ({ target }: Event): void => {
    if (isOwnScript(target)) document.dispatchEvent(new Event(APP_FAILED))
  }
  // The error event of a script does not bubble, so it is captured.
  document.addEventListener('error', onError, true)
  document.addEventListener(APP_FAILED, () => {
    document.getElementById('load-failure')?.removeAttribute('hidden')
    window.addEventListener('online', () => window.location.reload())
  })
}
