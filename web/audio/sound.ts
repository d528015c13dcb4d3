import { browserStorage } from '#web/browser-storage.ts'
import { createSoundSwitch, onFirstGesture } from './sound-switch.ts'
import type { Effect, Player } from './player.ts'

const { store, turn, fail, setVolume } = createSoundSwitch(browserStorage)
export { store as sound, setVolume }

let player: Promise<Player> | undefined

/** Plays or pauses the music and the effects. Call it in a gesture of the player: only then may a page begin to sound. */
export function playSound(on: boolean): void {
  turn(on)
  if (!on || player) return
  try {
    // Made and resumed here, in the gesture, because Safari forgets it while the player's code loads.
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

/** A short sound for what just happened; silence while the sound is off. */
export function playEffect(effect: Effect): void {
  if (store.get().state === 'on') player?.then(({ play }) => play(effect)).catch(failSound)
}

/** Music that played when the page was left goes on at the player's first gesture. */
export function resumeSound(): void {
  if (store.get().state !== 'waiting') return
  onFirstGesture(window, () => {
    if (store.get().state === 'waiting') playSound(true)
  })
}
