// Who sits where, how loud, and how human. `loudness` is in LUFS of the player alone, so the balance survives any
// change of timbre; `seat` goes from -1 (left) to 1 (right); `room` is the reverb send. `late`, `drift` and `jitter`
// are seconds: a habit, a slow wander and a note-to-note scatter.

export const BAND = {
  guitar: { loudness: -25.2, seat: -0.34, room: 0.5, late: 0, drift: 0.0025, jitter: 0.004 },
  lead: { loudness: -24, seat: 0.22, room: 0.62, late: 0.006, drift: 0.003, jitter: 0.005 },
  ukulele: { loudness: -30.5, seat: 0.52, room: 0.55, late: 0.004, drift: 0.003, jitter: 0.004 },
  whistle: { loudness: -25.6, seat: 0.06, room: 0.85, late: 0.008, drift: 0.003, jitter: 0.006 },
  accordion: { loudness: -26, seat: -0.14, room: 0.7, late: 0.005, drift: 0.003, jitter: 0.006 },
  pad: { loudness: -34, seat: 0.28, room: 0.8, late: 0, drift: 0.003, jitter: 0.008 },
  bass: { loudness: -26, seat: 0.02, room: 0.2, late: 0.002, drift: 0.002, jitter: 0.004 },
  brush: { loudness: -36, seat: -0.12, room: 0.5, late: 0.003, drift: 0.002, jitter: 0.003 },
  shaker: { loudness: -39, seat: 0.38, room: 0.4, late: 0, drift: 0.002, jitter: 0.004 },
}

export const MUSIC_LUFS = -18
export const BREATH_SECONDS = 0.2 // the guitar lets go this long before the loop comes round...
export const LEAD_IN_SECONDS = 0.07 // ...and the file begins in that breath, this long before the first beat
export const TRUE_PEAK_CEILING_DB = -2.2 // before encoding; lossy codecs overshoot a little
