import { timeOfDay } from './shell/time-of-day.ts'

// Runs before the first paint and apart from the app, so that no night begins with a flash of day and no page inside
// with the bright sky of the hero.

const MINUTE_MS = 60_000

function light(): void {
  document.documentElement.dataset.time = timeOfDay(new Date().getHours())
}

light()
setInterval(light, MINUTE_MS)
document.documentElement.toggleAttribute('data-inside', location.pathname !== '/')
