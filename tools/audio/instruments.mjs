// Plucked strings and their wooden bodies, whistle, reeds, brushes, shaker.

import {
  Chance,
  SAMPLE_RATE,
  TAU,
  biquad,
  centsRatio,
  filtered,
  filteredThrough,
  mix,
  samples,
} from './signal.mjs'

/**
 * Strings are modelled by their modes: each partial is a decaying sine whose
 * strength comes from where and how softly the string was plucked, whose decay
 * comes from the string's losses, and whose pitch includes its stiffness.
 *
 * losses: decay rate = a + b*f + c*f*f (f in hertz). softHertz and hardHertz:
 * where the fingertip rounds the partials off, for a soft and a firm pluck.
 */
const STRINGS = {
  steel: {
    pluckPoint: 0.155,
    softHertz: 2300,
    hardHertz: 4800,
    stiffness: 6e-5,
    losses: [0.9, 0.0015, 3e-7],
    attack: 0.0013,
    fingerNoise: 0.1,
    highest: 9000,
    damping: 0.14,
  },
  melodyNylon: {
    pluckPoint: 0.19,
    softHertz: 2300,
    hardHertz: 4600,
    stiffness: 2.5e-5,
    losses: [0.7, 0.0021, 3.5e-7],
    attack: 0.0018,
    fingerNoise: 0.08,
    highest: 9000,
    damping: 0.2,
  },
  ukulele: {
    pluckPoint: 0.23,
    softHertz: 2000,
    hardHertz: 3800,
    stiffness: 3e-5,
    losses: [3.2, 0.0055, 9e-7],
    attack: 0.0016,
    fingerNoise: 0.1,
    highest: 8000,
    damping: 0.1,
  },
  uprightBass: {
    pluckPoint: 0.26,
    softHertz: 420,
    hardHertz: 900,
    stiffness: 8e-5,
    losses: [1.7, 0.009, 4e-6],
    attack: 0.005,
    fingerNoise: 0.03,
    highest: 3000,
    damping: 0.14,
  },
}

/** A string moves both across and along the soundboard; the second motion is quieter and lasts longer. */
const MOTIONS = [
  { level: 1, decay: 1.25, cents: 0 },
  { level: 0.3, decay: 0.62, cents: 0.9 },
]

export function pluck(stringKind, { hertz, seconds, velocity, chance, attackScale = 1 }) {
  const string = STRINGS[stringKind]
  const [lossA, lossB, lossC] = string.losses
  const decayRate = (f) => lossA + lossB * f + lossC * f * f
  const longest = 6.9 / (decayRate(hertz) * MOTIONS[1].decay)
  const sound = new Float32Array(samples(Math.min(seconds + string.damping * 1.6, longest)))
  const pluckPoint = string.pluckPoint * (1 + 0.09 * chance.bell())
  const roundOff = mix(string.softHertz, string.hardHertz, velocity) * (1 + 0.06 * chance.bell())
  const strength = velocity ** 1.3

  const base = hertz * centsRatio(0.6 * chance.bell())
  for (let partial = 1; ; partial++) {
    const f = base * partial * Math.sqrt(1 + string.stiffness * partial * partial)
    if (f > string.highest) break
    const shape = Math.sin(Math.PI * partial * pluckPoint) / partial
    const rounding = 1 / (1 + (f / roundOff) ** 1.7)
    const amplitude = strength * shape * rounding * (1 + 0.1 * chance.bell())
    for (const motion of MOTIONS) {
      addDecayingSine(
        sound,
        f * centsRatio(motion.cents),
        amplitude * motion.level,
        decayRate(f) * motion.decay,
        chance.next() * 1.4,
      )
    }
  }

  const attack = samples(string.attack * attackScale)
  for (let i = 0; i < attack && i < sound.length; i++)
    sound[i] *= 0.5 - 0.5 * Math.cos((Math.PI * i) / attack)
  addFingerNoise(sound, string.fingerNoise * strength, chance)
  damp(sound, samples(seconds), string.damping)
  return sound
}

/** The cheapest sine there is: each sample follows from the two before it. */
export function addDecayingSine(sound, hertz, amplitude, decayRate, phase) {
  const w = (TAU * hertz) / SAMPLE_RATE
  const r = Math.exp(-decayRate / SAMPLE_RATE)
  const c1 = 2 * r * Math.cos(w)
  const c2 = -r * r
  const end = Math.min(sound.length, samples(9 / decayRate))
  let before = (amplitude * Math.sin(phase - w)) / r
  let now = amplitude * Math.sin(phase)
  for (let i = 0; i < end; i++) {
    sound[i] += now
    const after = c1 * now + c2 * before
    before = now
    now = after
  }
}

/** The touch of skin and nail at the start of a note. */
export function addFingerNoise(sound, amplitude, chance) {
  const length = Math.min(sound.length, samples(0.03))
  let smooth = 0
  for (let i = 0; i < length; i++) {
    const t = i / SAMPLE_RATE
    smooth += 0.45 * (chance.spread() - smooth)
    sound[i] += amplitude * smooth * Math.min(1, t / 0.0008) * Math.exp(-t / 0.0035)
  }
}

/** A finger comes back to rest on the string. */
function damp(sound, from, seconds) {
  for (let i = Math.max(0, from); i < sound.length; i++) {
    const t = (i - from) / SAMPLE_RATE
    sound[i] *= Math.exp((-5 * t) / seconds)
  }
  const fade = Math.min(sound.length, samples(0.02))
  for (let i = 0; i < fade; i++) sound[sound.length - 1 - i] *= i / fade
}

/**
 * What the wood does to a string: resonances as [hertz, Q, gain], heard from two
 * sides (spread = how differently), plus some of the string itself, rounded off.
 */
const BODIES = {
  guitar: {
    direct: 0.6,
    rollOff: 6000,
    spread: 0.3,
    modes: [
      [103, 7, 0.55],
      [206, 8, 0.62],
      [264, 9, 0.42],
      [372, 9, 0.46],
      [455, 10, 0.4],
      [570, 10, 0.38],
      [690, 8, 0.4],
      [860, 7, 0.44],
      [1080, 6, 0.5],
      [1400, 5, 0.56],
      [1850, 4, 0.6],
      [2500, 3.5, 0.56],
      [3400, 3.5, 0.42],
    ],
  },
  ukulele: {
    direct: 0.42,
    rollOff: 4600,
    spread: 0.35,
    modes: [
      [196, 6, 0.3],
      [365, 8, 0.55],
      [520, 8, 0.5],
      [690, 9, 0.45],
      [920, 6, 0.5],
      [1250, 5, 0.52],
      [1700, 4, 0.5],
      [2400, 3.5, 0.42],
    ],
  },
  bass: {
    direct: 0.55,
    rollOff: 1100,
    spread: 0.06,
    modes: [
      [62, 3, 0.5],
      [104, 5, 0.55],
      [172, 6, 0.45],
      [235, 7, 0.35],
      [340, 7, 0.25],
      [520, 6, 0.2],
    ],
  },
}

export function throughBody(track, bodyName, chance, width = 1) {
  const body = BODIES[bodyName]
  const { data, isLoop } = track
  const direct = filtered(data, biquad('lowpass', body.rollOff, 0.6), isLoop)
  const sides = [new Float32Array(data.length), new Float32Array(data.length)]
  const tilt = body.modes.map(() => chance.spread() * body.spread * width)
  body.modes.forEach(([hertz, q, gain], m) => {
    const ringing = filtered(data, biquad('bandpass', hertz, q), isLoop)
    sides.forEach((side, s) => {
      const level = gain * (1 + (s === 0 ? tilt[m] : -tilt[m]))
      for (let i = 0; i < side.length; i++) side[i] += level * ringing[i]
    })
  })
  for (const side of sides) for (let i = 0; i < side.length; i++) side[i] += body.direct * direct[i]
  return sides
}

/**
 * The whistle: a nearly pure tone blown into life by breath noise. Slurred notes
 * glide; tongued notes leave a small gap, then start with a puff and a scoop.
 */
export function whistlePhrase(notes, chance) {
  const begin = notes[0].start
  const sound = new Float32Array(samples(notes.at(-1).end - begin + 0.25))
  const vibratoHertz = 4.8 + 0.25 * chance.bell()
  let current = -1
  let pitch = 0 // log2 of hertz
  let phase = 0,
    level = 0,
    wander = 0,
    low = 0,
    band = 0,
    air = 0

  for (let i = 0; i < sound.length; i++) {
    const t = begin + i / SAMPLE_RATE
    if (t >= (notes[current + 1]?.start ?? Infinity)) {
      current++
      if (!notes[current].isSlurred) pitch = Math.log2(notes[current].hertz) - 0.03
    }
    const note = notes[current]
    const length = note.end - note.start
    const age = t - note.start
    const isTongued = !note.isSlurred
    const leavesGap = !(notes[current + 1]?.isSlurred ?? false)
    const isSounding = t < note.end - (leavesGap ? Math.min(0.05, 0.15 * length) : 0)

    // Loudness: a push from the tongue, a swell, and a long note that lets go.
    const along = Math.min(1, Math.max(0, age / length))
    const swell = length > 0.8 ? 0.72 + 0.28 * Math.sin(Math.PI * along ** 0.7) : 0.98 - 0.16 * along
    const push = isTongued ? 0.14 * Math.exp(-age / 0.05) : 0
    const vibrato = Math.sin(TAU * vibratoHertz * t) * Math.min(1, Math.max(0, (age - 0.22) / 0.4))
    const wanted = isSounding ? note.velocity * (swell + push) * (1 + 0.07 * vibrato) : 0
    level += (wanted - level) / ((wanted > level ? 0.013 : 0.022) * SAMPLE_RATE)

    // Pitch: glide into the note, then vibrato and a little unsteadiness.
    pitch += (Math.log2(note.hertz) - pitch) / ((isTongued ? 0.02 : 0.013) * SAMPLE_RATE)
    wander += (chance.spread() - wander) / (0.06 * SAMPLE_RATE)
    const hertz = 2 ** (pitch + (vibrato * 13 + wander * 170) / 1200)
    phase += (TAU * hertz) / SAMPLE_RATE
    const tone =
      Math.sin(phase) +
      (0.06 + 0.15 * level) * Math.sin(2 * phase + 0.4) +
      (0.02 + 0.09 * level) * Math.sin(3 * phase + 1.1) +
      0.03 * level * Math.sin(4 * phase + 2)

    // Breath: noise through a resonator that follows the pitch, and some free air.
    const noise = chance.spread()
    const tuning = 2 * Math.sin((Math.PI * hertz) / SAMPLE_RATE)
    low += tuning * band
    band += tuning * (noise - low - 0.2 * band)
    air += 0.25 * (noise - air)
    const puff = isTongued ? Math.exp(-age / 0.035) : 0
    sound[i] = level * (tone + (0.06 + 0.1 * puff) * band + (0.028 + 0.07 * puff) * air)
  }
  return sound
}

/** A main reed, and a quieter one tuned a little sharp that makes the sound shimmer. */
const REEDS = [
  { cents: -1, level: 1 },
  { cents: 7, level: 0.18 },
]

/** The accordion: soft reeds, opened by the bellows. */
export function reedNote({ hertz, seconds, velocity, isSlurred, brightness, chance }) {
  const release = 0.16
  const sound = new Float32Array(samples(seconds + release * 2))
  for (const { cents, level } of REEDS) {
    const base = hertz * centsRatio(cents + 0.6 * chance.bell())
    for (let partial = 1; partial * base < 6000; partial++) {
      const f = base * partial
      const evenness = partial % 2 === 0 ? 0.55 : 1
      const amplitude = evenness / partial ** 1.05 / (1 + (f / brightness) ** 2.4)
      addDecayingSine(sound, f, level * amplitude, 1e-6, chance.next() * TAU)
    }
  }
  const attack = isSlurred ? 0.045 : 0.075
  let level = 0
  for (let i = 0; i < sound.length; i++) {
    const t = i / SAMPLE_RATE
    const bellows = velocity * (0.9 + 0.1 * Math.sin(Math.PI * Math.min(1, t / seconds)))
    const wanted = t < seconds ? bellows : 0
    level += (wanted - level) / ((wanted > level ? attack / 2.2 : release / 3) * SAMPLE_RATE)
    sound[i] *= level
  }
  const fade = samples(0.03)
  for (let i = 0; i < fade; i++) sound[sound.length - 1 - i] *= i / fade
  return sound
}

/** Beads in a gourd: a shake is a burst of separate tiny collisions. */
export function shake(velocity, chance) {
  const sound = new Float32Array(samples(0.13))
  const peak = 0.022 + 0.006 * chance.bell()
  for (let i = 0; i < sound.length; i++) {
    const t = i / SAMPLE_RATE
    const push = t < peak ? (t / peak) ** 2 : Math.exp(-(t - peak) / 0.028)
    if (chance.next() < 0.05 + 0.12 * push)
      sound[i] += velocity * push * chance.spread() * (0.4 + chance.next())
  }
  return sound
}

/** A wire brush on a snare head: a tap, or a sweep round it. */
export function brushStroke(stroke, velocity, chance) {
  const sound = new Float32Array(samples(stroke === 'tap' ? 0.22 : 0.34))
  for (let i = 0; i < sound.length; i++) {
    const t = i / SAMPLE_RATE
    const envelope =
      stroke === 'tap'
        ? Math.min(1, t / 0.004) * (0.75 * Math.exp(-t / 0.018) + 0.25 * Math.exp(-t / 0.06))
        : 0.42 * Math.sin(Math.PI * Math.min(1, t / 0.32)) ** 2
    sound[i] = velocity * envelope * chance.spread()
  }
  if (stroke === 'tap') {
    addDecayingSine(sound, 186 * (1 + 0.02 * chance.bell()), 0.1 * velocity, 38, 0)
    addDecayingSine(sound, 292, 0.045 * velocity, 46, 0)
  }
  return sound
}

/** How each player's dry track becomes a stereo sound. */
export const VOICING = {
  guitar: (track) =>
    present(throughBody(track, 'guitar', new Chance('guitar body')), 2600, 3.5, track.isLoop),
  lead: (track) =>
    present(throughBody(track, 'guitar', new Chance('lead guitar body')), 2200, 2.5, track.isLoop),
  ukulele: (track) => throughBody(track, 'ukulele', new Chance('ukulele body')),
  bass: (track) => throughBody(track, 'bass', new Chance('bass body')),
  whistle: (track) => both(track, [biquad('highpass', 250, 0.7), biquad('lowpass', 5000, 0.6)]),
  accordion: (track) =>
    both(track, [biquad('highpass', 180, 0.7), biquad('peak', 900, 0.8, 2), biquad('lowpass', 3600, 0.6)]),
  pad: (track) => both(track, [biquad('highpass', 140, 0.7), biquad('lowpass', 1900, 0.6)]),
  shaker: (track) =>
    both(track, [biquad('highpass', 2200, 0.7), biquad('peak', 4300, 1.2, 5), biquad('lowpass', 7200, 0.6)]),
  brush: (track) =>
    both(track, [biquad('highpass', 150, 0.7), biquad('peak', 2400, 0.7, 3), biquad('lowpass', 5200, 0.6)]),
}

/** A microphone that leans in a little around one pitch. */
const present = (sides, hertz, gainDb, isLoop) =>
  sides.map((side) => filtered(side, biquad('peak', hertz, 0.5, gainDb), isLoop))

function both(track, filters) {
  const sound = filteredThrough(track.data, filters, track.isLoop)
  return [sound, sound.slice()]
}
