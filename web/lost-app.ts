import { APP_LOST } from './app-events.ts'

/**
 * Says so where the app does not come: on a line that broke, or because a new build has taken the old one's files away.
 * The page stays, and its links lead on.
 */
export function watchForLostApp(): void {
  const isMain = ({ target }: Event): boolean => target instanceof HTMLScriptElement
  const onError = (event: Event): void => {
    if (isMain(event)) document.dispatchEvent(new Event(APP_LOST))
  }
  // Scripts that do not come tell nobody but themselves.
  document.addEventListener('error', onError, true)
  document.addEventListener(APP_LOST, () => {
    document.getElementById('lost-app')?.removeAttribute('hidden')
    window.addEventListener('online', () => window.location.reload())
  })
}
