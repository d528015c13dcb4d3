import { browserStorage } from '#web/browser-storage.ts'
import { createSoundSwitch, onFirstGesture } from './sound-switch.ts'
import type { Effect, Player } from './player.ts'

const { store, turn, fail, setVolume } = createSoundSwitch(browserStorage)
export { store as sound, setVolume }

let player: Promise<Player> | undefined

/** Plays or pauses music and effects. Call it in a user gesture, because browsers allow sound only then. */
export function playSound(on: boolean): void {
  turn(on)
  if (!on || player) return
  try {
    // Created and resumed during the gesture: in Safari the gesture expires while the player's code loads.
    const context = new AudioContext()
    context.resume().catch(fail)
    player = import('./player.ts').then(({ createPlayer }) => createPlayer(context, { sound: store, fail }))
    player.catch(failSound)
  } catch {
    failSound()
  }
}

function failSound(): void {
  player = undefined
  fail()
}

/** Plays a short effect, if the sound is on. */
export function playEffect(effect: Effect): void {
  if (store.get().state === 'on') player?.then(({ play }) => play(effect)).catch(failSound)
}

/** Continues music that was on at the last visit, at the player's first gesture. */
export function resumeSound(): void {
  if (store.get().state !== 'waiting') return
  onFirstGesture(window, () => {
    if (store.get().state === 'waiting') playSound(true)
  })
}
