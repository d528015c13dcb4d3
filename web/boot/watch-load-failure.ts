import { APP_FAILED } from './app-events.ts'

/**
 * Says so where the app does not come: on a line that broke, or because a new build has taken the old one's files away.
 * The page stays, and its links lead on.
 */
export function watchLoadFailure(): void {
  // Extensions put scripts of their own into pages.
  const isOwnScript = (target: EventTarget | null): boolean =>
    target instanceof HTMLScriptElement && target.src.startsWith(window.location.origin)
  const onError = ({ target }: Event): void => {
    if (isOwnScript(target)) document.dispatchEvent(new Event(APP_FAILED))
  }
  // Scripts that do not come tell nobody but themselves.
  document.addEventListener('error', onError, true)
  document.addEventListener(APP_FAILED, () => {
    document.getElementById('load-failure')?.removeAttribute('hidden')
    window.addEventListener('online', () => window.location.reload())
  })
}
