import type { Store } from '#web/store.ts'
import { loadSound } from './load-sound.ts'
import type { Sound } from './sound-switch.ts'

const EFFECTS = ['tap', 'claim', 'buy', 'sold', 'refuse'] as const

export type Effect = (typeof EFFECTS)[number]
export type Player = { play: (effect: Effect) => void }

/** Quieter than the effects, so that they are audible. */
const MUSIC_GAIN = 0.5
/** The time constant of a fade, short enough to feel immediate and long enough not to click. */
const FADE_S = 0.03
/** After this time a fade has ended, and the context can be suspended. */
const SUSPEND_AFTER_MS = 250

const ignore = (): void => undefined

type Switch = { sound: Store<Sound>; fail: () => void }

/**
 * Plays music and effects while the switch is on and the page is visible. After a pause the music continues where it
 * stopped. Calls `fail` if the music cannot be loaded.
 */
export function createPlayer(context: AudioContext, { sound, fail }: Switch): Player {
  const master = context.createGain()
  master.gain.value = 0
  master.connect(context.destination)
  const audible = (): boolean => sound.get().state === 'on' && !document.hidden

  let suspendTimer: ReturnType<typeof setTimeout> | undefined
  let music: 'none' | 'loading' | 'playing' = 'none'

  function applyState(): void {
    clearTimeout(suspendTimer)
    const { volume } = sound.get()
    // Loudness is perceived as ratios, so a square makes the slider feel linear.
    master.gain.setTargetAtTime(audible() ? volume ** 2 : 0, context.currentTime, FADE_S)
    if (audible()) {
      context.resume().catch(ignore)
      if (music === 'none') void startMusic()
    } else suspendTimer = setTimeout(() => context.suspend().catch(ignore), SUSPEND_AFTER_MS)
  }

  async function startMusic(): Promise<void> {
    music = 'loading'
    try {
      const buffer = await loadSound(context, 'music')
      const gain = context.createGain()
      gain.gain.value = MUSIC_GAIN
      gain.connect(master)
      const source = context.createBufferSource()
      source.buffer = buffer
      source.loop = true
      source.connect(gain)
      source.start()
      music = 'playing'
      // Preload the effects, so that they are not late.
      for (const effect of EFFECTS) loadSound(context, effect).catch(ignore)
    } catch {
      music = 'none'
      fail()
    }
  }

  async function play(effect: Effect): Promise<void> {
    if (!audible()) return
    // An effect that cannot be loaded is skipped.
    const buffer = await loadSound(context, effect).catch(ignore)
    if (!buffer || !audible()) return
    const source = context.createBufferSource()
    source.buffer = buffer
    source.connect(master)
    source.start()
  }

  sound.subscribe(applyState)
  document.addEventListener('visibilitychange', applyState)
  // In the capture phase, because the click itself makes its button busy.
  const tap = ({ target }: Event): void => {
    const pressed = target instanceof Element && target.closest('button, a[href]')
    if (pressed && !pressed.ariaBusy) void play('tap')
  }
  document.addEventListener('click', tap, { capture: true })
  applyState()
  return { play: (effect) => void play(effect) }
}
