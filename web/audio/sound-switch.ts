import { createStore } from '#web/store.ts'

/**
 * `asleep`: it was on when the page was left, and waits for the player's first gesture, because no browser lets a
 * page sound before one. `volume` goes from 0 to 1.
 */
export type Sound = { state: 'off' | 'asleep' | 'on'; volume: number }

type Memory = Pick<Storage, 'getItem' | 'setItem'>

/** The name is the spec's (S-51). */
const STARTED_KEY = 'musicStarted'
const VOLUME_KEY = 'musicVolume'
const FIRST_VOLUME = 0.8

const SILENCE: Sound = { state: 'off', volume: FIRST_VOLUME }

/** The one switch of music and effects, remembered from visit to visit. */
export function createSoundSwitch(memory: Memory) {
  const store = createStore<Sound>(
    { state: memory.getItem(STARTED_KEY) === 'true' ? 'asleep' : 'off', volume: storedVolume(memory) },
    SILENCE,
  )
  const become = (state: Sound['state']): void => store.set({ ...store.get(), state })
  const turn = (on: boolean): void => {
    memory.setItem(STARTED_KEY, String(on))
    become(on ? 'on' : 'off')
  }
  return {
    store,
    turn,
    /** What cannot sound is off, and is tried again at the next visit. */
    fail: () => become('off'),
    setVolume(volume: number): void {
      memory.setItem(VOLUME_KEY, String(volume))
      store.set({ ...store.get(), volume })
    },
  }
}

function storedVolume(memory: Memory): number {
  const stored = Number.parseFloat(memory.getItem(VOLUME_KEY) ?? '')
  return stored >= 0 && stored <= 1 ? stored : FIRST_VOLUME
}

/** The button of the sound decides by itself what a gesture on it means. */
export const ownGesture = { 'data-sound': '' }

const GESTURES = ['click', 'keydown', 'touchend'] as const

const isOwn = (target: EventTarget | null): boolean =>
  'Element' in globalThis && target instanceof Element && target.closest('[data-sound]') !== null

/** Calls `wake` at the first click, key press or touch that lets the page sound (S-70). */
export function onFirstGesture(page: EventTarget, wake: () => void): void {
  const listen = (event: Event): void => {
    // Escape, for one, is a key press that gives no right to sound.
    if (globalThis.navigator?.userActivation?.hasBeenActive === false) return
    if (isOwn(event.target)) return
    for (const gesture of GESTURES) page.removeEventListener(gesture, listen)
    wake()
  }
  for (const gesture of GESTURES) page.addEventListener(gesture, listen)
}
