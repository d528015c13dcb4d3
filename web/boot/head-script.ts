import { replayEarlyClicks } from './replay-early-clicks.ts'
import { watchLoadFailure } from './watch-load-failure.ts'
import { timeOfDay } from '#web/shell/time-of-day.ts'
import { FIRST_STEPS_KEY, TOKEN_KEY, WALLET_KEY } from '#web/storage-keys.ts'

// Runs before the first paint, independently of the app. It sets the time of day, the dimmed landscape and the visibility
// of content for players, so that none of them flashes. It also queues clicks until the app has hydrated.

const MINUTE_MS = 60_000

function applyTimeOfDay(): void {
  document.documentElement.dataset.time = timeOfDay(new Date().getHours())
}

applyTimeOfDay()
setInterval(applyTimeOfDay, MINUTE_MS)
const { dataset } = document.documentElement
document.documentElement.toggleAttribute('data-dimmed', location.pathname !== '/')
if (localStorage.getItem(TOKEN_KEY) !== null && localStorage.getItem(WALLET_KEY) !== null) dataset.player = ''
if (localStorage.getItem(FIRST_STEPS_KEY) !== null) dataset.guided = ''

replayEarlyClicks()
watchLoadFailure()
