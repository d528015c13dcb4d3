// The short sounds of the game, made of the same strings, wood and air.

import { addDecayingSine, addFingerNoise, pluck, throughBody } from './instruments.mjs'
import { limited, momentaryLoudness, report, scaled } from './loudness.mjs'
import { finish } from './mix.mjs'
import {
  Chance,
  SAMPLE_RATE,
  decibels,
  midiToHertz,
  mix,
  newTrack,
  pitchToMidi,
  place,
  samples,
} from './signal.mjs'

/** A piece of wood struck: a few short modes and the touch of the mallet. */
function knock(hertz, seconds, velocity, chance) {
  const sound = new Float32Array(samples(seconds * 2.2))
  const modes = [
    [1, 1, 1],
    [2.41, 0.42, 1.7],
    [4.1, 0.16, 2.6],
    [6.2, 0.06, 3.8],
  ]
  for (const [ratio, level, haste] of modes) {
    addDecayingSine(
      sound,
      hertz * ratio * (1 + 0.008 * chance.bell()),
      velocity * level,
      (5 * haste) / seconds,
      0,
    )
  }
  addFingerNoise(sound, 0.35 * velocity, chance)
  const attack = samples(0.0012)
  for (let i = 0; i < attack; i++) sound[i] *= i / attack
  return sound
}

/** A soft puff of cotton: air that blooms and sinks. */
function poof(seconds, velocity, chance) {
  const sound = new Float32Array(samples(seconds))
  let low = 0,
    band = 0
  for (let i = 0; i < sound.length; i++) {
    const t = i / sound.length
    const hertz = mix(1500, 420, t ** 0.6)
    const tuning = 2 * Math.sin((Math.PI * hertz) / SAMPLE_RATE)
    low += tuning * band
    band += tuning * (chance.spread() - low - 1.1 * band)
    sound[i] = velocity * (0.7 * band + 0.5 * low) * Math.min(1, t / 0.07) ** 1.5 * (1 - t) ** 2.2
  }
  return sound
}

/** A coin set down: small, round and quickly still. */
function coin(hertz, seconds, velocity, chance) {
  const sound = new Float32Array(samples(seconds * 1.6))
  const modes = [
    [1, 1, 1],
    [1.502, 0.45, 1.3],
    [2.63, 0.2, 2],
    [3.89, 0.07, 3],
  ]
  for (const [ratio, level, haste] of modes) {
    addDecayingSine(sound, hertz * ratio, velocity * level, (5.5 * haste) / seconds, 0)
    addDecayingSine(
      sound,
      hertz * ratio * (1.0025 + 0.001 * chance.next()),
      velocity * level * 0.4,
      (5.5 * haste) / seconds,
      1,
    )
  }
  const attack = samples(0.0015)
  for (let i = 0; i < attack; i++) sound[i] *= i / attack
  return sound
}

/** Each effect: its length, its loudest 400 ms, and what is played into which sound source. */
export const EFFECTS = {
  claim: {
    seconds: 0.95,
    loudness: -19,
    room: 0.4,
    play({ strings, air }, chance) {
      ;['G4', 'B4', 'D5', 'G5'].forEach((pitch, order) => {
        const velocity = 0.62 + 0.07 * order
        strings(pitch, 0.04 + order * 0.072 + 0.004 * chance.bell(), 0.5, velocity)
      })
      air(poof(0.45, 2, chance), 0)
    },
  },
  buy: {
    seconds: 0.7,
    loudness: -19,
    room: 0.35,
    play({ bright, wood }, chance) {
      wood(knock(294, 0.1, 0.5, chance), 0.005)
      bright(coin(1175, 0.2, 0.24, chance), 0.06)
      bright(coin(1568, 0.4, 0.28, chance), 0.135)
    },
  },
  refuse: {
    seconds: 0.5,
    loudness: -22,
    room: 0.3,
    play({ wood }, chance) {
      wood(knock(220, 0.11, 0.8, chance), 0.005)
      wood(knock(185, 0.14, 0.7, chance), 0.155)
    },
  },
  tap: {
    seconds: 0.16,
    loudness: -32,
    room: 0.2,
    play({ wood }, chance) {
      wood(knock(690, 0.045, 0.5, chance), 0.003)
    },
  },
  sold: {
    seconds: 0.98,
    loudness: -18.5,
    room: 0.4,
    play({ strings, air }, chance) {
      /** @type {[string, number][]} */
      const fanfare = [
        ['G4', 0],
        ['G4', 0.1],
        ['B4', 0.2],
        ['D5', 0.3],
      ]
      for (const [pitch, at] of fanfare) strings(pitch, 0.01 + at, 0.2, at === 0.1 ? 0.72 : 0.9)
      ;['G4', 'B4', 'D5', 'G5'].forEach((pitch, order) => strings(pitch, 0.42 + 0.014 * order, 0.55, 0.6))
      air(knock(196, 0.1, 0.2, chance), 0.42)
    },
  },
}

export function renderEffect(name) {
  const effect = EFFECTS[name]
  const chance = new Chance(`effect ${name}`)
  const tracks = { strings: newTrack(effect.seconds, false), plain: newTrack(effect.seconds, false) }
  const plain = (sound, at) => place(tracks.plain, sound, at)
  effect.play(
    {
      strings: (pitch, at, seconds, velocity) => {
        place(
          tracks.strings,
          pluck('melodyNylon', { hertz: midiToHertz(pitchToMidi(pitch)), seconds, velocity, chance }),
          at,
        )
      },
      wood: plain,
      bright: plain,
      air: plain,
    },
    chance,
  )

  const body = throughBody(tracks.strings, 'ukulele', new Chance('effect body'), 0.4)
  const dry = body.map((channel) => channel.map((value, i) => value + tracks.plain.data[i]))
  const sends = scaled(dry, effect.room)
  const mixed = finish(dry, sends, 0.5, { tailSeconds: 0.5, lateGain: 0.05 }, false)
  const levelled = scaled(mixed, decibels(effect.loudness - momentaryLoudness(mixed)))
  const safe = limited(levelled, decibels(-3), false)
  const fade = samples(Math.min(0.2, effect.seconds * 0.35))
  for (const channel of safe) {
    for (let i = 0; i < fade; i++)
      channel[channel.length - 1 - i] *= 0.5 - 0.5 * Math.cos((Math.PI * i) / fade)
  }
  report(name, safe, momentaryLoudness(safe))
  return safe
}
