// From the score to notes in time: swing, tempo, phrasing, touch, string by string.

import { BAND, BREATH_SECONDS } from './band.mjs'
import { brushStroke, pluck, reedNote, shake, whistlePhrase } from './instruments.mjs'
import {
  BAR_STRETCH,
  BRUSH_PATTERNS,
  EIGHTHS_PER_BAR,
  GUITAR_SHAPES,
  LOOP_SECONDS,
  PICKING,
  SHAKER_PATTERNS,
  SONG,
  SWING,
  UKULELE_PATTERNS,
  UKULELE_SHAPES,
  patternBar,
} from './score.mjs'
import { Chance, fail, midiToHertz, pitchToMidi, place } from './signal.mjs'

export const BARS = SONG.flatMap((section) =>
  section.bars.map((content, index) => ({ ...content, section, index })),
)

/** When each bar starts, in seconds; the last entry is the length of the loop. */
export const BAR_STARTS = (() => {
  const stretches = SONG.flatMap((section) => BAR_STRETCH[section.name])
  const total = stretches.reduce((sum, stretch) => sum + stretch, 0)
  let clock = 0
  const starts = stretches.map((stretch) => {
    const start = clock
    clock += (stretch / total) * LOOP_SECONDS
    return start
  })
  return [...starts, LOOP_SECONDS]
})()

/** The time of a position counted in eighths from the top, with swing. */
function timeAt(eighths) {
  const whole = Math.floor(eighths)
  const swung =
    whole % 2 === 1 ? eighths + SWING * (1 - (eighths - whole)) : eighths + SWING * (eighths - whole)
  const barIndex = Math.min(BARS.length - 1, Math.floor(whole / EIGHTHS_PER_BAR))
  const within = (swung - barIndex * EIGHTHS_PER_BAR) / EIGHTHS_PER_BAR
  return BAR_STARTS[barIndex] + within * (BAR_STARTS[barIndex + 1] - BAR_STARTS[barIndex])
}

/** A player: their own sense of time and touch. */
class Player {
  constructor(name) {
    this.name = name
    this.chance = new Chance(name)
    this.wander = 0
    this.late = BAND[name].late
    this.drift = BAND[name].drift
    this.jitter = BAND[name].jitter
  }

  play(eighths) {
    this.wander = 0.85 * this.wander + this.drift * this.chance.bell()
    return timeAt(eighths) + this.late + this.wander + this.jitter * this.chance.bell()
  }

  touch(velocity) {
    return Math.min(1, Math.max(0.08, velocity * (1 + 0.07 * this.chance.bell())))
  }
}

const sectionAt = (eighths) => BARS[Math.min(BARS.length - 1, Math.floor(eighths / EIGHTHS_PER_BAR))].section

/** Each section has its own level, and each four-bar phrase breathes in and out. */
function loudnessAt(eighths) {
  const phrase = (eighths % (4 * EIGHTHS_PER_BAR)) / (4 * EIGHTHS_PER_BAR)
  return sectionAt(eighths).loudness * (0.93 + 0.09 * Math.sin(Math.PI * Math.min(1, phrase * 1.15)))
}

/** Reads every bar of one line: [{ at, length, pitches, grace, isSlurred }]. */
function readLine(part) {
  const notes = []
  let slurNext = false
  BARS.forEach((content, barIndex) => {
    const text = content[part] ?? `-/${EIGHTHS_PER_BAR}`
    let position = 0
    for (const token of text.split(/\s+/)) {
      const [, grace, pitches, length, slur] =
        /^(?:\((\w#?\w?)\))?([^/]+)\/([\d.]+)(_?)$/.exec(token) ?? fail(`Cannot read "${token}"`)
      if (pitches !== '-') {
        notes.push({
          at: barIndex * EIGHTHS_PER_BAR + position,
          length: Number(length),
          midis: pitches.split('+').map(pitchToMidi),
          graceMidi: grace ? pitchToMidi(grace) : null,
          isSlurred: slurNext,
        })
      }
      slurNext = pitches !== '-' && slur === '_'
      position += Number(length)
    }
    if (position !== EIGHTHS_PER_BAR)
      fail(`Bar ${barIndex + 1} of ${part} holds ${position} eighths: ${text}`)
  })
  return notes
}

export const noteLog = []
function logNote(player, at, seconds, midi, velocity, length) {
  noteLog.push({
    player,
    at,
    seconds: Number(seconds.toFixed(5)),
    midi,
    velocity: Number(velocity.toFixed(3)),
    length: Number(length.toFixed(3)),
  })
}

/** The chord sounding at an eighth of a bar that may hold one chord or two. */
function chordAt(content, eighth) {
  const chords = content.chords.split(' ')
  return chords[Math.floor((eighth * chords.length) / EIGHTHS_PER_BAR)]
}

const GUITAR_TUNING = [40, 45, 50, 55, 59, 64]
const UKULELE_TUNING = [67, 60, 64, 69]

function fretted(shape, tuning) {
  return [...shape].map((fret, string) => (fret === 'x' ? null : tuning[string] + Number(fret)))
}

/** The picked guitar: six strings, each sounding until it is plucked or refretted. */
function performGuitar(track) {
  const player = new Player('guitar')
  const plucks = []
  /** @type {number[][]} */
  const lifts = [[], [], [], [], [], []] // times at which a string is let go for the next chord
  /** @type {(number | null)[] | null} */
  let previousShape = null

  BARS.forEach((content, barIndex) => {
    const tokens = PICKING[content.picking].split(/\s+/)
    const busyness = tokens.filter((token) => token !== '-').length / EIGHTHS_PER_BAR
    const lightness = 1.12 - 0.32 * busyness // a busy pattern is picked more lightly
    tokens.forEach((token, eighth) => {
      const at = barIndex * EIGHTHS_PER_BAR + eighth
      const shape = fretted(
        GUITAR_SHAPES[chordAt(content, eighth)] ?? fail(`No shape for ${content.chords}`),
        GUITAR_TUNING,
      )
      shape.forEach((midi, string) => {
        if (previousShape && midi !== previousShape[string]) lifts[string].push(timeAt(at) - 0.02)
      })
      previousShape = shape
      if (token === '-') return

      const bassString = shape.findIndex((midi) => midi !== null)
      const inner = bassString >= 2 ? 3 : 2
      const otherBass = bassString === 0 && shape[1] !== null ? 1 : bassString
      const strings = [...token].map(
        (letter) => ({ b: bassString, c: otherBass, a: inner })[letter] ?? 6 - Number(letter),
      )
      const seconds = player.play(at)
      ;[...new Set(strings)].forEach((string, order) => {
        if (shape[string] === null) return
        const isThumb = 'bca'.includes(token[0]) && order === 0
        const accent = isThumb ? (token[0] === 'b' ? 0.66 : 0.48) : eighth % 2 === 1 ? 0.54 : 0.58
        plucks.push({
          at,
          string,
          midi: shape[string],
          seconds: seconds + order * 0.006,
          velocity: player.touch(accent * lightness * loudnessAt(at)),
        })
      })
    })
  })

  for (const note of plucks) {
    const onSameString = plucks.filter(
      (other) => other.string === note.string && other.seconds > note.seconds,
    )
    const next = onSameString[0]?.seconds ?? Infinity
    const lift = lifts[note.string].find((seconds) => seconds > note.seconds + 0.05) ?? Infinity
    const length = Math.min(next, lift, LOOP_SECONDS - BREATH_SECONDS) - note.seconds
    logNote('guitar', note.at, note.seconds, note.midi, note.velocity, length)
    place(
      track,
      pluck('steel', {
        hertz: midiToHertz(note.midi),
        seconds: length,
        velocity: note.velocity,
        chance: player.chance,
      }),
      note.seconds,
    )
  }
}

function performLead(track) {
  const player = new Player('lead')
  for (const note of readLine('lead')) {
    const [midi] = note.midis
    const onBeat = note.at % 4 === 0 ? 0.78 : note.at % 2 === 0 ? 0.7 : 0.62
    const velocity = player.touch(onBeat * sectionAt(note.at).leadTouch * loudnessAt(note.at))
    let seconds = player.play(note.at)
    const length = timeAt(note.at + note.length) - timeAt(note.at) + 0.05
    if (note.graceMidi !== null) {
      const grace = pluck('melodyNylon', {
        hertz: midiToHertz(note.graceMidi),
        seconds: 0.06,
        velocity: velocity * 0.7,
        chance: player.chance,
      })
      place(track, grace, seconds - 0.03)
      seconds += 0.04
    }
    logNote('lead', note.at, seconds, midi, velocity, length)
    const attackScale = note.graceMidi === null ? 1 : 2.5
    place(
      track,
      pluck('melodyNylon', {
        hertz: midiToHertz(midi),
        seconds: length,
        velocity,
        chance: player.chance,
        attackScale,
      }),
      seconds,
    )
  }
}

function performBass(track) {
  const player = new Player('bass')
  for (const note of readLine('bass')) {
    const [midi] = note.midis
    const velocity = player.touch((note.at % 8 === 0 ? 0.78 : 0.64) * loudnessAt(note.at))
    const seconds = player.play(note.at)
    const length = (timeAt(note.at + note.length) - timeAt(note.at)) * 0.9
    logNote('bass', note.at, seconds, midi, velocity, length)
    place(
      track,
      pluck('uprightBass', { hertz: midiToHertz(midi), seconds: length, velocity, chance: player.chance }),
      seconds,
    )
  }
}

function performUkulele(track) {
  const player = new Player('ukulele')
  BARS.forEach((content, barIndex) => {
    for (const [eighth, direction, strength] of patternBar(
      UKULELE_PATTERNS,
      content.section.ukulele,
      content.index,
    )) {
      const at = barIndex * EIGHTHS_PER_BAR + eighth
      const midis = fretted(UKULELE_SHAPES[chordAt(content, eighth)], UKULELE_TUNING)
      const strings = direction === 'down' ? midis : midis.toReversed().slice(0, 3)
      const seconds = player.play(at) - 0.015 // so that the middle of the strum is on time
      const spread = 0.011 + 0.003 * player.chance.bell()
      const ring = direction === 'down' ? 0.2 + 0.05 * player.chance.next() : 0.13
      strings.forEach((midi, order) => {
        const velocity = player.touch(strength * loudnessAt(at) * (1 - 0.06 * order))
        logNote('ukulele', at, seconds + order * spread, midi, velocity, ring)
        place(
          track,
          pluck('ukulele', { hertz: midiToHertz(midi), seconds: ring, velocity, chance: player.chance }),
          seconds + order * spread,
        )
      })
    }
  })
}

function performWhistle(track) {
  const player = new Player('whistle')
  const phrases = []
  for (const note of readLine('whistle')) {
    const [midi] = note.midis
    const start = player.play(note.at)
    const end = timeAt(note.at + note.length) + 0.004
    const beatWeight = note.at % 4 === 0 ? 0.84 : note.at % 2 === 0 ? 0.75 : 0.66
    const height = 0.012 * (midi - 70) // higher notes are blown harder
    const velocity = player.touch((beatWeight + height) * loudnessAt(note.at))
    const phrase = phrases.at(-1)
    const continues = phrase !== undefined && phrase.until === note.at
    logNote('whistle', note.at, start, midi, velocity, end - start)
    const sung = { start, end, hertz: midiToHertz(midi), velocity, isSlurred: note.isSlurred }
    if (continues) {
      phrase.notes.at(-1).end = start
      phrase.until = note.at + note.length
    } else {
      phrases.push({ notes: [], until: note.at + note.length })
    }
    const notes = phrases.at(-1).notes
    if (note.graceMidi !== null) {
      notes.push({
        ...sung,
        end: start + 0.07,
        hertz: midiToHertz(note.graceMidi),
        velocity: velocity * 0.85,
      })
      notes.push({ ...sung, start: start + 0.07, isSlurred: true })
    } else {
      notes.push(sung)
    }
  }
  for (const { notes } of phrases) place(track, whistlePhrase(notes, player.chance), notes[0].start)
}

function performReeds(track, part) {
  const player = new Player(part)
  const brightness = part === 'pad' ? 850 : 1900
  for (const note of readLine(part)) {
    const seconds = player.play(note.at)
    const length = timeAt(note.at + note.length) - timeAt(note.at) - (part === 'pad' ? 0.02 : 0.035)
    for (const midi of note.midis) {
      const velocity = player.touch(0.8 * loudnessAt(note.at))
      logNote(part, note.at, seconds, midi, velocity, length)
      const sound = reedNote({
        hertz: midiToHertz(midi),
        seconds: length,
        velocity,
        isSlurred: note.isSlurred,
        brightness,
        chance: player.chance,
      })
      place(track, sound, seconds)
    }
  }
}

function performShaker(track) {
  const player = new Player('shaker')
  BARS.forEach((content, barIndex) => {
    patternBar(SHAKER_PATTERNS, content.section.shaker, content.index).forEach((strength, eighth) => {
      const at = barIndex * EIGHTHS_PER_BAR + eighth
      if (strength === 0 || player.chance.next() < 0.04) return
      const seconds = player.play(at)
      logNote('shaker', at, seconds, null, strength, 0.1)
      place(track, shake(player.touch(strength * loudnessAt(at)), player.chance), seconds - 0.02)
    })
  })
}

function performBrush(track) {
  const player = new Player('brush')
  BARS.forEach((content, barIndex) => {
    for (const [eighth, stroke, strength] of patternBar(
      BRUSH_PATTERNS,
      content.section.brush,
      content.index,
    )) {
      const at = barIndex * EIGHTHS_PER_BAR + eighth
      const seconds = player.play(at)
      logNote('brush', at, seconds, null, strength, 0.2)
      place(track, brushStroke(stroke, player.touch(strength * loudnessAt(at)), player.chance), seconds)
    }
  })
}

export const PERFORMANCES = {
  guitar: performGuitar,
  lead: performLead,
  ukulele: performUkulele,
  whistle: performWhistle,
  accordion: (track) => performReeds(track, 'accordion'),
  pad: (track) => performReeds(track, 'pad'),
  bass: performBass,
  brush: performBrush,
  shaker: performShaker,
}
