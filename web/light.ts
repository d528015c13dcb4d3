import { timeOfDay } from './shell/time-of-day.ts'

// Runs before the first paint and apart from the app, so that no night begins with a flash of day and no page inside
// with the bright sky of the hero; nor a player's own with what it shows to visitors.

const MINUTE_MS = 60_000

function light(): void {
  document.documentElement.dataset.time = timeOfDay(new Date().getHours())
}

light()
setInterval(light, MINUTE_MS)
const { dataset } = document.documentElement
document.documentElement.toggleAttribute('data-inside', location.pathname !== '/')
// Like `stored` in `api/session.ts` and `guide` in `shell/guide-store.ts`, which come later.
if (localStorage.getItem('token') !== null && localStorage.getItem('walletAddress') !== null)
  dataset.player = ''
if (localStorage.getItem('firstSteps') !== null) dataset.guided = ''
