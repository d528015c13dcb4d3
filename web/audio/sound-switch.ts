import { createStore } from '#web/store.ts'

/**
 * `waiting`: the sound was on at the end of the last visit and waits for the player's first gesture, because browsers
 * allow no sound before one.
 */
export type Sound = { state: 'off' | 'waiting' | 'on'; volumes: Volumes }

/** From 0 to 1. */
type Volumes = Readonly<Record<'music' | 'effects', number>>
export type VolumeName = keyof Volumes

type SoundStorage = Pick<Storage, 'getItem' | 'setItem'>

/** The spec prescribes the name (S-51). */
const STARTED_KEY = 'musicStarted'
const VOLUME_KEYS = { music: 'musicVolume', effects: 'effectsVolume' } as const
const DEFAULT_VOLUME = 0.8

const SILENCE: Sound = { state: 'off', volumes: { music: DEFAULT_VOLUME, effects: DEFAULT_VOLUME } }

/** The switch for music and effects. Its state is stored for the next visit. */
export function createSoundSwitch(storage: SoundStorage) {
  const store = createStore<Sound>(
    {
      state: storage.getItem(STARTED_KEY) === 'true' ? 'waiting' : 'off',
      volumes: { music: storedVolume(storage, 'music'), effects: storedVolume(storage, 'effects') },
    },
    SILENCE,
  )
  const setState = (state: Sound['state']): void => store.set({ ...store.get(), state })
  const turn = (on: boolean): void => {
    storage.setItem(STARTED_KEY, String(on))
    setState(on ? 'on' : 'off')
  }
  // Follows a player who switches it off in another tab.
  if ('window' in globalThis) {
    window.addEventListener('storage', ({ key, newValue }) => {
      if (key === STARTED_KEY && newValue === 'false') setState('off')
    })
  }
  return {
    store,
    turn,
    /** Switches off without storing it, so that the next visit tries again. */
    fail: () => setState('off'),
    setVolume(name: VolumeName, volume: number): void {
      storage.setItem(VOLUME_KEYS[name], String(volume))
      const { state, volumes } = store.get()
      store.set({ state, volumes: { ...volumes, [name]: volume } })
    },
  }
}

function storedVolume(storage: SoundStorage, name: VolumeName): number {
  const stored = Number.parseFloat(storage.getItem(VOLUME_KEYS[name]) ?? '')
  return stored >= 0 && stored <= 1 ? stored : DEFAULT_VOLUME
}

/** Marks the sound button, whose own clicks do not count as the first gesture. */
export const ownGesture = { 'data-sound': '' }

const GESTURES = ['click', 'keydown', 'touchend'] as const

/** A key press without a focus has the window as its target, which is no element. */
const isSoundButton = (target: Partial<Element> | null): boolean => Boolean(target?.closest?.('[data-sound]'))

/** Calls `onGesture` at the first click, key press or touch that allows the page to play sound (S-70). */
export function onFirstGesture(page: EventTarget, onGesture: () => void): void {
  const listen = (event: Event): void => {
    // Some keys, such as Escape, do not count as a user activation.
    if (navigator.userActivation?.hasBeenActive === false) return
    if (isSoundButton(event.target)) return
    for (const gesture of GESTURES) page.removeEventListener(gesture, listen)
    onGesture()
  }
  for (const gesture of GESTURES) page.addEventListener(gesture, listen)
}
