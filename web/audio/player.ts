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
  const createGain = (to: AudioNode): GainNode => {
    const gain = context.createGain()
    gain.gain.value = 0
    gain.connect(to)
    return gain
  }
  const master = createGain(context.destination)
  const outputs = { music: createGain(master), effects: createGain(master) }
  const audible = (): boolean => sound.get().state === 'on' && !document.hidden

  let suspendTimer: ReturnType<typeof setTimeout> | undefined
  let music: 'none' | 'loading' | 'playing' = 'none'

  function applyState(): void {
    clearTimeout(suspendTimer)
    const { volumes } = sound.get()
    const fade = ({ gain }: GainNode, to: number) => gain.setTargetAtTime(to, context.currentTime, FADE_S)
    fade(master, audible() ? 1 : 0)
    // Loudness is perceived as ratios, so a square makes the sliders feel linear.
    fade(outputs.music, MUSIC_GAIN * volumes.music ** 2)
    fade(outputs.effects, volumes.effects ** 2)
    if (audible()) {
      context.resume().catch(ignore)
      if (music === 'none') void startMusic()
    } else suspendTimer = setTimeout(() => context.suspend().catch(ignore), SUSPEND_AFTER_MS)
  }

  async function startMusic(): Promise<void> {
    music = 'loading'
    try {
      const buffer = await loadSound(context, 'music')
      const source = context.createBufferSource()
      source.buffer = buffer
      source.loop = true
      source.connect(outputs.music)
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
    source.connect(outputs.effects)
    source.start()
  }

  sound.subscribe(applyState)
  document.addEventListener('visibilitychange', applyState)
  // In the capture phase, because the click itself makes its button busy.
  const tap = ({ target }: Event): void => {
    // After a lock or a call, a phone may let the sound continue only in a gesture.
    if (audible()) context.resume().catch(ignore)
    const pressed = target instanceof Element && target.closest('button, a[href]')
    if (pressed && !pressed.ariaBusy) void play('tap')
  }
  document.addEventListener('click', tap, { capture: true })
  applyState()
  return { play: (effect) => void play(effect) }
}
