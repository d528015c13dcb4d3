import { APP_LOST } from './app-events.ts'

/**
 * Says so where the app does not come: on a line that broke, or because a new build has taken the old one's files away.
 * The page stays, and its links lead on.
 */
export function watchForLostApp(): void {
  // Extensions put scripts of their own into pages.
  const isOurs = (target: EventTarget | null): boolean =>
    target instanceof HTMLScriptElement && target.src.startsWith(window.location.origin)
  const onError = ({ target }: Event): void => {
    if (isOurs(target)) document.dispatchEvent(new Event(APP_LOST))
  }
  // Scripts that do not come tell nobody but themselves.
  document.addEventListener('error', onError, true)
  document.addEventListener(APP_LOST, () => {
    document.getElementById('lost-app')?.removeAttribute('hidden')
    window.addEventListener('online', () => window.location.reload())
  })
}
