import { APP_FAILED } from './app-events.ts'

/**
 * Shows a message if the app or a style sheet of the page fails to load, because the connection was lost or a newer build has
 * replaced its files. The prerendered page remains, and its links still work.
 */
export function watchLoadFailure(): void {
  // Browser extensions add files of other origins.
  const isOwn = (url: string): boolean => url.startsWith(window.location.origin)
  const onError = ({ target }: Event): void => {
    if (target instanceof HTMLScriptElement && isOwn(target.src))
      document.dispatchEvent(new Event(APP_FAILED))
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet' && isOwn(target.href))
      reportMissingSheet()
  }
  // The error event of a script or a link does not bubble, so it is captured.
  document.addEventListener('error', onError, true)
  document.addEventListener(APP_FAILED, showMessage)
}

function showMessage(): void {
  document.getElementById('load-failure')?.removeAttribute('hidden')
  window.addEventListener('online', () => window.location.reload())
}

/** The app may start all the same. A part that loads its sheet after the page reports a failure itself. */
function reportMissingSheet(): void {
  // The browser may not have received the message yet.
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', showWithoutSheet)
  else if (document.readyState === 'interactive') showWithoutSheet()
}

/** The content policy forbids style attributes in the HTML. It allows a script to set them. */
function showWithoutSheet(): void {
  const message = document.getElementById('load-failure')
  if (!message) return
  message.removeAttribute('class')
  Object.assign(message.style, {
    position: 'fixed',
    inset: 'auto 0 0',
    zIndex: '90',
    margin: '0',
    padding: '16px',
    background: 'Canvas',
    color: 'CanvasText',
    textAlign: 'center',
  })
  showMessage()
}
