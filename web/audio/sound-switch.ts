import { createStore } from '#web/store.ts'

/**
 * `waiting`: it was on when the page was left, and waits for the player's first gesture, because no browser lets a
 * page sound before one. `volume` goes from 0 to 1.
 */
export type Sound = { state: 'off' | 'waiting' | 'on'; volume: number }

type SoundStorage = Pick<Storage, 'getItem' | 'setItem'>

/** The name is the spec's (S-51). */
const STARTED_KEY = 'musicStarted'
const VOLUME_KEY = 'musicVolume'
const DEFAULT_VOLUME = 0.8

const SILENCE: Sound = { state: 'off', volume: DEFAULT_VOLUME }

/** The one switch of music and effects, remembered from visit to visit. */
export function createSoundSwitch(storage: SoundStorage) {
  const store = createStore<Sound>(
    { state: storage.getItem(STARTED_KEY) === 'true' ? 'waiting' : 'off', volume: storedVolume(storage) },
    SILENCE,
  )
  const setState = (state: Sound['state']): void => store.set({ ...store.get(), state })
  const turn = (on: boolean): void => {
    storage.setItem(STARTED_KEY, String(on))
    setState(on ? 'on' : 'off')
  }
  return {
    store,
    turn,
    /** What cannot sound is off, and is tried again at the next visit. */
    fail: () => setState('off'),
    setVolume(volume: number): void {
      storage.setItem(VOLUME_KEY, String(volume))
      store.set({ ...store.get(), volume })
    },
  }
}

function storedVolume(storage: SoundStorage): number {
  const stored = Number.parseFloat(storage.getItem(VOLUME_KEY) ?? '')
  return stored >= 0 && stored <= 1 ? stored : DEFAULT_VOLUME
}

/** The button of the sound decides by itself what a gesture on it means. */
export const ownGesture = { 'data-sound': '' }

const GESTURES = ['click', 'keydown', 'touchend'] as const

const isSoundButton = (target: EventTarget | null): boolean =>
  'Element' in globalThis && target instanceof Element && target.closest('[data-sound]') !== null

/** Calls `onGesture` at the first click, key press or touch that lets the page sound (S-70). */
export function onFirstGesture(page: EventTarget, onGesture: () => void): void {
  const listen = (event: Event): void => {
    // Escape, for one, is a key press that gives no right to sound.
    if (globalThis.navigator?.userActivation?.hasBeenActive === false) return
    if (isSoundButton(event.target)) return
    for (const gesture of GESTURES) page.removeEventListener(gesture, listen)
    onGesture()
  }
  for (const gesture of GESTURES) page.addEventListener(gesture, listen)
}
