// Pitches, seeded chance, tracks that may be loops, and filters.

export const SAMPLE_RATE = 48000

export const TAU = 2 * Math.PI
export const decibels = (db) => 10 ** (db / 20)
export const toDecibels = (gain) => 20 * Math.log10(Math.max(gain, 1e-12))
export const mix = (from, to, amount) => from + (to - from) * amount
export const samples = (seconds) => Math.round(seconds * SAMPLE_RATE)
export const centsRatio = (cents) => 2 ** (cents / 1200)
export const midiToHertz = (midi) => 440 * 2 ** ((midi - 69) / 12)

const PITCH_CLASSES = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 }

export function pitchToMidi(name) {
  const [, letter, accidental, octave] = /^([A-G])([#b]?)(\d)$/.exec(name) ?? fail(`No such pitch: ${name}`)
  return (
    12 * (Number(octave) + 1) + PITCH_CLASSES[letter] + (accidental === '#' ? 1 : accidental === 'b' ? -1 : 0)
  )
}

/**
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  throw new Error(message)
}

/** A seeded source of randomness, so that each player's accidents are repeatable. */
export class Chance {
  constructor(name) {
    this.state = [...name].reduce(
      (hash, letter) => Math.imul(hash ^ letter.codePointAt(0), 0x01000193) >>> 0,
      0x811c9dc5,
    )
  }

  /** From 0 up to 1 (mulberry32). */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** From -1 up to 1. */
  spread() {
    return this.next() * 2 - 1
  }

  /** Bell-shaped around 0, deviation near 1, never beyond about 3.5. */
  bell() {
    return (this.next() + this.next() + this.next() + this.next() - 2) * 1.73
  }
}

/** Adds a sound into a track at a time; on a loop, whatever runs past the end comes round. */
export function place(track, sound, seconds) {
  const start = samples(seconds)
  const { data, isLoop } = track
  for (let i = 0; i < sound.length; i++) {
    let at = start + i
    if (isLoop) at = ((at % data.length) + data.length) % data.length
    else if (at < 0 || at >= data.length) continue
    data[at] += sound[i]
  }
}

export const newTrack = (seconds, isLoop) => ({ data: new Float32Array(samples(seconds)), isLoop })

// --- Filters (second order, the well-known cookbook forms) -----------------

/** @returns {[number, number, number, number, number]} */
export function biquad(kind, hertz, q, gainDb = 0) {
  const w = (TAU * hertz) / SAMPLE_RATE
  const cos = Math.cos(w)
  const alpha = Math.sin(w) / (2 * q)
  const a = 10 ** (gainDb / 40)
  const shelf = 2 * Math.sqrt(a) * alpha
  const forms = {
    lowpass: () => [(1 - cos) / 2, 1 - cos, (1 - cos) / 2, 1 + alpha, -2 * cos, 1 - alpha],
    highpass: () => [(1 + cos) / 2, -1 - cos, (1 + cos) / 2, 1 + alpha, -2 * cos, 1 - alpha],
    bandpass: () => [alpha, 0, -alpha, 1 + alpha, -2 * cos, 1 - alpha],
    peak: () => [1 + alpha * a, -2 * cos, 1 - alpha * a, 1 + alpha / a, -2 * cos, 1 - alpha / a],
    highshelf: () => [
      a * (a + 1 + (a - 1) * cos + shelf),
      -2 * a * (a - 1 + (a + 1) * cos),
      a * (a + 1 + (a - 1) * cos - shelf),
      a + 1 - (a - 1) * cos + shelf,
      2 * (a - 1 - (a + 1) * cos),
      a + 1 - (a - 1) * cos - shelf,
    ],
  }
  const [b0, b1, b2, a0, a1, a2] = forms[kind]()
  return [b0 / a0, b1 / a0, b2 / a0, a1 / a0, a2 / a0]
}

/** Runs one filter over data. A loop is entered already ringing, as if it had played before. */
export function filtered(data, [b0, b1, b2, a1, a2], isLoop) {
  const result = new Float32Array(data.length)
  let x1 = 0,
    x2 = 0,
    y1 = 0,
    y2 = 0
  const runUp = isLoop ? Math.min(data.length, 2 * SAMPLE_RATE) : 0
  for (let i = -runUp; i < data.length; i++) {
    const x = data[i < 0 ? data.length + i : i]
    const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
    x2 = x1
    x1 = x
    y2 = y1
    y1 = y
    if (i >= 0) result[i] = y
  }
  return result
}

export const filteredThrough = (data, filters, isLoop) =>
  filters.reduce((sound, filter) => filtered(sound, filter, isLoop), data)
