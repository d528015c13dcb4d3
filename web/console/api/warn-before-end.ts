import { serverClock } from '#web/api/server-clock.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { dismissToast, showToast } from '#web/ui/toast-store.ts'
import { CHECK_MS, WARNING_MS } from './use-idle-end.ts'

/**
 * Warns before the session ends however much it is used: what somebody is writing then is lost. Returns a function that stops
 * it.
 */
export function warnBeforeEnd(endsAt: string): () => void {
  let toast: number | null = null
  const timer = setInterval(() => {
    if (toast !== null || Date.parse(endsAt) - serverClock.now().getTime() > WARNING_MS) return
    toast = showToast({ kind: 'warning', ...consoleMessages.endsInAnyCase, durationMs: WARNING_MS })
  }, CHECK_MS)
  return () => {
    clearInterval(timer)
    if (toast !== null) dismissToast(toast)
  }
}
