import '#web/css/layers.css'
import '#web/css/tokens.css'
import '#web/css/fonts.css'
import '#web/css/base.css'
import '#web/css/world.css'
import { APP_READY, APP_FAILED } from './app-events.ts'

// The page is prerendered, so the browser paints it first. Then all code of the app is loaded in parallel.

const MAX_PAINT_WAIT_MS = 3_000

/** Resolves at the first paint, or at once in a hidden tab, where no paint happens. */
const firstPaint = new Promise<void>((resolve) => {
  if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) return resolve()
  document.addEventListener('visibilitychange', () => resolve(), { once: true })
  setTimeout(resolve, MAX_PAINT_WAIT_MS)
  new PerformanceObserver((_list, observer) => {
    observer.disconnect()
    resolve()
  }).observe({ type: 'paint', buffered: true })
})

async function startApp(): Promise<void> {
  await firstPaint
  const isPastGuide = 'guided' in document.documentElement.dataset
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[data-then]')) {
    if (!isPastGuide || link.dataset.then !== 'newcomer') link.rel = 'modulepreload'
  }
  const { start } = await import('./start.tsx')
  await start()
}

const dispatch = (name: string): boolean => document.dispatchEvent(new Event(name))

startApp().then(
  () => dispatch(APP_READY),
  (error: unknown) => {
    dispatch(APP_FAILED)
    reportError(error)
  },
)
