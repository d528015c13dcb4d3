// "Morning in the Rows", the loop. G major, about 96 beats a minute, lightly swung. A line is a list of notes,
// "PITCH/LENGTH", with lengths in eighth notes and "-" for a rest. "(E5)D5/3" starts with a quick grace note on E5,
// "D5/3_" is slurred into the note that follows. Every bar holds eight eighths.

export const EIGHTHS_PER_BAR = 8
export const LOOP_SECONDS = 90 // 36 bars at an average of 96 beats a minute
export const SWING = 0.13 // how late off-beat eighths fall, in eighths (0 = straight)

/** Guitar shapes, frets from the low E string to the high E string. */
export const GUITAR_SHAPES = {
  G: '320003',
  'D/F#': '2x0232',
  Em7: '022030',
  Em: '022000',
  C: 'x32010',
  Cadd9: 'x32030',
  'G/B': 'x20003',
  Am7: 'x02010',
  Dsus4: 'xx0233',
  D: 'xx0232',
  D7sus4: 'xx0213',
  D7: 'xx0212',
  A7: 'x02020',
  Cm6: 'x31213',
  'G/D': 'xx0003',
}

/** Ukulele shapes, frets from the high G string to the A string. */
export const UKULELE_SHAPES = {
  G: '0232',
  'D/F#': '2220',
  Em7: '0202',
  Em: '0432',
  C: '0003',
  Cadd9: '0203',
  'G/B': '0232',
  Am7: '0000',
  Dsus4: '0230',
  D: '2220',
  D7sus4: '2233',
  D7: '2223',
  A7: '0100',
  Cm6: '2333',
  'G/D': '0232',
}

/**
 * Fingerpicking, one token for each eighth. The thumb plays b (the chord's bass
 * string), c (its other bass string) and a (the string in between); the fingers
 * play strings 3, 2 and 1. "b1" is a pinch of both.
 */
export const PICKING = {
  stroll: 'b1 - a 2 c 3 a -',
  strollOn: 'b - a 3 c 2 a 1',
  skip: 'b 3 a - c 2 a 3',
  pinch: 'b2 - a 3 c1 - a 2',
  roll: 'b 3 2 1 a 3 2 3',
  ripple: 'b 3 2 3 1 3 2 3',
  hush: 'b - 3 2 a - 3 -',
  open: 'b - 3 - 2 - 1 -',
  turn: 'b - 3 2 b - 3 2',
  turnOn: 'b2 - a 3 b - 2 1',
  linger: 'b 3 2 1 - 2 - -',
}

const bar = (chords, picking, bass, melodies = {}) => ({ chords, picking, bass, ...melodies })

export const SONG = [
  {
    // A - the tune on one nylon guitar; the question.
    name: 'A',
    ukulele: null,
    brush: null,
    shaker: 'whisper',
    loudness: 0.92,
    leadTouch: 1,
    bars: [
      bar('G', 'hush', 'G2/4 D2/4', { lead: 'D5/3 B4/1 G4/2 A4/1 B4/1' }),
      bar('D/F#', 'hush', 'F#2/4 D2/2 F#2/2', { lead: 'A4/4 F#4/2 D4/2' }),
      bar('Em7', 'skip', 'E2/4 B1/4', { lead: 'G4/3 B4/1 E5/2 D5/1 B4/1' }),
      bar('C', 'hush', 'C2/6 C2/2', { lead: 'C5/5 -/1 G4/1 A4/1' }),
      bar('G/B', 'stroll', 'B1/4 D2/4', { lead: 'B4/3 D5/3 B4/1 G4/1' }),
      bar('C', 'strollOn', 'C2/6 B1/2', { lead: 'C5/3 E5/3 D5/1 C5/1' }),
      bar('Am7', 'skip', 'A1/4 E2/4', { lead: '(C5)B4/2 A4/2 G4/2 B4/2' }),
      bar('Dsus4 D', 'turn', 'D2/4 E2/2 F#2/2', { lead: 'A4/5 -/3', whistle: '-/5 A4/1_ B4/1_ C5/1_' }),
    ],
  },
  {
    // A' - the whistle takes it, the band joins; the answer.
    name: "A'",
    ukulele: 'chank',
    brush: 'easy',
    shaker: 'easy',
    loudness: 0.94,
    leadTouch: 0.8,
    bars: [
      bar('G', 'stroll', 'G2/4 D2/4', { whistle: 'D5/3 B4/1 G4/1_ A4/1 B4/2' }),
      bar('D/F#', 'skip', 'F#2/4 D2/2 F#2/2', { whistle: 'A4/3 B4/1_ A4/2 F#4/1_ D4/1' }),
      bar('Em7', 'strollOn', 'E2/4 B1/4', { whistle: 'G4/2_ A4/1_ B4/1 E5/2_ D5/1_ B4/1' }),
      bar('Cadd9', 'pinch', 'C2/4 G2/2 C2/2', {
        whistle: 'C5/5 -/1 G4/1_ A4/1',
        lead: '-/2 G4/1 C5/1 E5/2 D5/1 -/1',
      }),
      bar('G/B', 'stroll', 'B1/4 D2/4', { whistle: 'B4/3_ D5/3 B4/1_ G4/1' }),
      bar('Am7', 'strollOn', 'A1/4 E2/4', { whistle: 'A4/3_ C5/3 B4/1_ A4/1' }),
      bar('D7sus4 D7', 'turnOn', 'D2/4 D2/2 F#2/2', { whistle: 'G4/2 A4/2 (C5)B4/2_ A4/1_ F#4/1' }),
      bar('G', 'strollOn', 'G1/4 A1/2 B1/2', {
        whistle: 'G4/5 -/3',
        lead: '-/2 B4/1 D5/1 E5/1 D5/1 B4/1 D5/1',
      }),
    ],
  },
  {
    // B - up to the open sky: accordion over a rolling guitar.
    name: 'B',
    ukulele: 'sway',
    brush: 'swish',
    shaker: 'full',
    loudness: 0.95,
    leadTouch: 0.75,
    bars: [
      bar('C', 'roll', 'C2/4 G2/4', { accordion: 'E5/4 G5/2_ E5/2', pad: 'G3+C4/8' }),
      bar('G/B', 'ripple', 'B1/4 D2/2 B1/2', {
        accordion: 'D5/6 B4/2',
        pad: 'G3+D4/8',
        lead: '-/3 G4/1 B4/1 A4/1 G4/2',
      }),
      bar('Am7', 'roll', 'A1/4 E2/2 A1/2', { accordion: 'C5/4 E5/2_ C5/2', pad: 'G3+C4/8' }),
      bar('G', 'stroll', 'G1/4 A1/2 B1/2', {
        accordion: 'B4/5 -/2 D5/1_',
        pad: 'G3+B3/8',
        lead: '-/2 D4/1 G4/1 B4/1 A4/1 G4/2',
      }),
      bar('C', 'ripple', 'C2/4 G2/2 C2/2', {
        accordion: 'E5/4 G5/2_ F#5/1_ E5/1',
        pad: 'G3+C4/8',
        lead: 'C5/4 E5/2 D5/1 C5/1',
      }),
      bar('G/B Em7', 'turnOn', 'B1/4 E2/4', {
        accordion: 'D5/3 B4/1_ E5/4',
        pad: 'G3+D4/4 G3+E4/4',
        lead: 'B4/3 G4/1 B4/2 G4/2',
      }),
      bar('A7', 'roll', 'A1/4 E2/2 C#2/2', {
        accordion: 'C#5/3_ D5/1_ E5/2 G5/2_',
        pad: 'G3+C#4/8',
        lead: 'A4/3 B4/1 C#5/2 E5/2',
      }),
      bar('D D7', 'turnOn', 'D2/4 E2/2 F#2/2', {
        accordion: 'F#5/3_ D5/2 -/3',
        pad: 'F#3+D4/4 F#3+C4/4',
        lead: 'D5/3 A4/2 -/3',
        whistle: '-/5 A4/1_ B4/1_ C5/1_',
      }),
    ],
  },
  {
    // A'' - everyone: whistle on top, the guitar a third or a sixth under it.
    name: "A''",
    ukulele: 'chank',
    brush: 'swish',
    shaker: 'full',
    loudness: 0.95,
    leadTouch: 0.72,
    bars: [
      bar('G', 'stroll', 'G2/4 D2/2 G2/2', {
        whistle: '(E5)D5/3 B4/1 G4/2 A4/1_ B4/1',
        lead: 'B4/3 G4/1 D4/2 F#4/1 G4/1',
        pad: 'B3+D4/8',
      }),
      bar('D/F#', 'strollOn', 'F#2/4 A2/2 F#2/2', {
        whistle: 'A4/3_ B4/1_ A4/2 D5/2',
        lead: 'F#4/3 G4/1 F#4/2 A4/2',
        pad: 'A3+D4/8',
      }),
      bar('Em7', 'skip', 'E2/4 B1/4', {
        whistle: 'B4/2_ G4/1_ B4/1 E5/2_ D5/1_ B4/1',
        lead: 'G4/2 E4/1 G4/1 G4/2 B4/1 G4/1',
        pad: 'G3+D4/8',
      }),
      bar('C', 'pinch', 'C2/4 E2/2 C2/2', {
        whistle: 'C5/2_ D5/1_ E5/2 -/1 G4/1_ A4/1',
        lead: 'E4/2 F#4/1 G4/2 -/1 E4/1 F#4/1',
        pad: 'G3+E4/8',
      }),
      bar('G/B', 'stroll', 'B1/4 D2/4', {
        whistle: 'B4/3_ D5/3 B4/1_ G4/1',
        lead: 'G4/3 B4/3 G4/1 D4/1',
        pad: 'G3+D4/8',
      }),
      bar('Am7', 'strollOn', 'A1/4 E2/4', {
        whistle: 'A4/3_ C5/3 D5/1_ C5/1',
        lead: 'E4/3 A4/3 F#4/1 E4/1',
        pad: 'G3+C4/8',
      }),
      bar('D7sus4 D7', 'turnOn', 'D2/4 D2/2 D#2/2', {
        whistle: 'G4/2 A4/2 B4/2_ A4/1_ F#4/1',
        lead: 'D4/4 F#4/2 F#4/1 D4/1',
        pad: 'G3+C4/4 F#3+C4/4',
      }),
      bar('Em', 'skip', 'E2/4 B1/2 D2/2', {
        whistle: 'G4/5 -/2 D5/1_',
        lead: 'E4/3 B4/1 A4/1 G4/3',
        pad: 'G3+B3/8',
      }),
    ],
  },
  {
    // Coda - the band steps back; E, E flat, D lead home to the first bar.
    name: 'coda',
    ukulele: 'drops',
    brush: null,
    shaker: 'whisper',
    loudness: 0.88,
    leadTouch: 0.9,
    bars: [
      bar('C', 'ripple', 'C2/4 G2/4', { whistle: 'E5/6 D5/1_ C5/1_', pad: 'G3+E4/8' }),
      bar('Cm6', 'ripple', 'C2/4 Eb2/4', { whistle: 'Eb5/6 D5/1_ C5/1_', pad: 'G3+Eb4/8' }),
      bar('G/D', 'open', 'D2/8', {
        whistle: 'D5/4_ B4/2 -/2',
        pad: 'G3+D4/6 -/2',
        lead: '-/5 B4/1 A4/1 G4/1',
      }),
      bar('D7sus4 D7', 'linger', 'D2/5 -/3', { lead: 'A4/3 -/2 A4/1 B4/1 C5/0.5 -/0.5' }),
    ],
  },
]

/** Each bar's share of the time: above 1 lingers. Scaled so the loop is exact. */
export const BAR_STRETCH = {
  A: [1.01, 1, 0.998, 1.002, 0.997, 0.995, 0.998, 1.008],
  "A'": [0.998, 0.996, 0.995, 1, 0.996, 0.995, 0.998, 1.006],
  B: [0.998, 0.996, 0.995, 0.998, 0.994, 0.993, 0.996, 1.014],
  "A''": [1, 0.996, 0.995, 0.999, 0.996, 0.996, 1.002, 1.008],
  coda: [1.004, 1.012, 1.024, 1.045],
}

// Rhythm parts go round a list of bars, so that no two neighbours are the same.

/** Strums: [position in eighths, direction, strength]. */
export const UKULELE_PATTERNS = {
  chank: [
    [
      [2, 'down', 0.7],
      [3, 'up', 0.34],
      [6, 'down', 0.74],
      [7, 'up', 0.36],
    ],
    [
      [2, 'down', 0.68],
      [6, 'down', 0.74],
      [7, 'up', 0.4],
    ],
    [
      [2, 'down', 0.72],
      [3, 'up', 0.36],
      [6, 'down', 0.7],
    ],
    [
      [2, 'down', 0.66],
      [3, 'up', 0.3],
      [5, 'up', 0.4],
      [6, 'down', 0.72],
      [7, 'up', 0.36],
    ],
  ],
  sway: [
    [
      [0, 'down', 0.42],
      [2, 'down', 0.72],
      [3, 'up', 0.42],
      [5, 'up', 0.46],
      [6, 'down', 0.7],
      [7, 'up', 0.38],
    ],
    [
      [2, 'down', 0.7],
      [3, 'up', 0.44],
      [5, 'up', 0.48],
      [6, 'down', 0.66],
    ],
    [
      [0, 'down', 0.38],
      [2, 'down', 0.74],
      [3, 'up', 0.4],
      [6, 'down', 0.72],
      [7, 'up', 0.42],
    ],
    [
      [2, 'down', 0.7],
      [3, 'up', 0.42],
      [4, 'down', 0.34],
      [5, 'up', 0.44],
      [6, 'down', 0.64],
      [7, 'up', 0.34],
    ],
  ],
  drops: [
    [[2, 'down', 0.4]],
    [
      [2, 'down', 0.36],
      [6, 'down', 0.3],
    ],
    [[2, 'down', 0.34]],
    [],
  ],
}

/** Brushes: [position in eighths, stroke, strength]. */
export const BRUSH_PATTERNS = {
  easy: [
    [
      [2, 'tap', 0.7],
      [6, 'tap', 0.75],
    ],
    [
      [2, 'tap', 0.66],
      [6, 'tap', 0.72],
      [7, 'tap', 0.2],
    ],
    [
      [0, 'sweep', 0.4],
      [2, 'tap', 0.7],
      [6, 'tap', 0.75],
    ],
    [
      [2, 'tap', 0.68],
      [5, 'tap', 0.24],
      [6, 'tap', 0.7],
      [7, 'tap', 0.3],
    ],
  ],
  swish: [
    [
      [0, 'sweep', 0.5],
      [2, 'tap', 0.75],
      [4, 'sweep', 0.55],
      [6, 'tap', 0.8],
      [7, 'tap', 0.22],
    ],
    [
      [0, 'sweep', 0.5],
      [2, 'tap', 0.72],
      [4, 'sweep', 0.5],
      [6, 'tap', 0.78],
    ],
    [
      [0, 'sweep', 0.46],
      [2, 'tap', 0.76],
      [3, 'tap', 0.2],
      [4, 'sweep', 0.52],
      [6, 'tap', 0.8],
    ],
    [
      [0, 'sweep', 0.5],
      [2, 'tap', 0.72],
      [4, 'sweep', 0.4],
      [5, 'tap', 0.28],
      [6, 'tap', 0.74],
      [7, 'tap', 0.36],
    ],
  ],
}

/** Shaker strength on each eighth. */
export const SHAKER_PATTERNS = {
  whisper: [
    [0, 0, 0.34, 0.16, 0, 0, 0.38, 0.2],
    [0, 0, 0.32, 0, 0, 0, 0.36, 0.18],
  ],
  easy: [
    [0.35, 0.22, 0.8, 0.34, 0.35, 0.24, 0.85, 0.4],
    [0.38, 0.2, 0.78, 0.3, 0.32, 0.3, 0.82, 0.34],
  ],
  full: [
    [0.45, 0.32, 0.85, 0.42, 0.5, 0.34, 0.9, 0.48],
    [0.48, 0.3, 0.88, 0.38, 0.44, 0.4, 0.84, 0.5],
  ],
}

/** The bar of a pattern that falls on the given bar of a section. */
export const patternBar = (patterns, name, index) =>
  name === null ? [] : patterns[name][index % patterns[name].length]
