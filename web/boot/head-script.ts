import { replayEarlyClicks } from './replay-early-clicks.ts'
import { watchLoadFailure } from './watch-load-failure.ts'
import { timeOfDay } from '#web/shell/time-of-day.ts'
import {
  FIRST_STEPS_KEY,
  MOTION_KEY,
  SETTINGS_CHANGED,
  TIME_KEY,
  TOKEN_KEY,
  WALLET_KEY,
} from '#web/storage-keys.ts'

// Runs before the first paint, independently of the app. It sets the time of day, the motion, the dimmed landscape and the visibility
// of content for players, so that none of them flashes. It also queues clicks until the app has hydrated.

const MINUTE_MS = 60_000

const { dataset } = document.documentElement

/** What the browser did not store, once a setting has changed: its storage is blocked or full. */
let unstored: ReadonlyMap<string, string> | undefined

/** As `browserStorage` does. */
function readStored(key: string): string | null {
  try {
    return unstored?.get(key) ?? localStorage.getItem(key)
  } catch {
    return null
  }
}

function applySettings(): void {
  dataset.time = readStored(TIME_KEY) ?? timeOfDay(new Date().getHours())
  dataset.motion = readStored(MOTION_KEY) ?? ''
}

applySettings()
setInterval(applySettings, MINUTE_MS)
document.addEventListener(SETTINGS_CHANGED, (event) => {
  unstored = (event as CustomEvent<ReadonlyMap<string, string>>).detail
  applySettings()
})
if (location.pathname !== '/') dataset.dimmed = ''
if (readStored(TOKEN_KEY) !== null && readStored(WALLET_KEY) !== null) dataset.player = ''
if (readStored(FIRST_STEPS_KEY) !== null) dataset.guided = ''

replayEarlyClicks()
watchLoadFailure()
