// Each player set to a loudness, then the whole.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BAND, LEAD_IN_SECONDS, MUSIC_LUFS, TRUE_PEAK_CEILING_DB } from './band.mjs'
import { VOICING } from './instruments.mjs'
import { integratedLoudness, limited, report, scaled, truePeak } from './loudness.mjs'
import { BARS, BAR_STARTS, PERFORMANCES, noteLog } from './performance.mjs'
import { convolved, roomResponse } from './room.mjs'
import { LOOP_SECONDS } from './score.mjs'
import { biquad, decibels, filteredThrough, newTrack, samples, toDecibels } from './signal.mjs'
import { wav } from './wav.mjs'

function addInto(target, source, gain) {
  for (let i = 0; i < source.length; i++) target[i] += source[i] * gain
}

/** Seats a stereo sound between the speakers with constant power. */
function seatGains(seat) {
  const angle = ((seat + 1) * Math.PI) / 4
  return [Math.cos(angle) * Math.SQRT2, Math.sin(angle) * Math.SQRT2]
}

/** Adds the room to a mix and cleans up its edges. */
export function finish(dry, sends, roomLevel, room, isLoop) {
  const crossed = [0, 1].map((side) =>
    sends[side].map((value, i) => 0.72 * value + 0.28 * sends[1 - side][i]),
  )
  return dry.map((channel, side) => {
    const wet = convolved(crossed[side], roomResponse(side, room), isLoop)
    const whole = channel.map((value, i) => value + roomLevel * wet[i])
    return filteredThrough(whole, [biquad('highpass', 32, 0.7), biquad('highshelf', 6500, 0.7, -1.5)], isLoop)
  })
}

/** A loop with its starting point moved earlier: the end comes round to the front. */
function turned(loop, by) {
  const result = new Float32Array(loop.length)
  result.set(loop.subarray(loop.length - by))
  result.set(loop.subarray(0, loop.length - by), by)
  return result
}

export function renderMusic(debugFolder) {
  const length = samples(LOOP_SECONDS)
  const dry = [new Float32Array(length), new Float32Array(length)]
  const sends = [new Float32Array(length), new Float32Array(length)]

  for (const [name, perform] of Object.entries(PERFORMANCES)) {
    const { loudness, seat, room } = BAND[name]
    const track = newTrack(LOOP_SECONDS, true)
    perform(track)
    const voiced = VOICING[name](track)
    const gains = seatGains(seat)
    const seated = voiced.map((channel, side) => channel.map((value) => value * gains[side]))
    const level = decibels(loudness - integratedLoudness(seated))
    seated.forEach((channel, side) => {
      addInto(dry[side], channel, level)
      addInto(sends[side], channel, level * room)
    })
    if (debugFolder) writeFileSync(join(debugFolder, `stem-${name}.wav`), wav(scaled(seated, level)))
    console.log(`  ${name.padEnd(10)} ${loudness} LUFS`)
  }

  const mixed = finish(dry, sends, 0.5, { tailSeconds: 1.15, lateGain: 0.055 }, true)
  const levelled = scaled(mixed, decibels(MUSIC_LUFS - integratedLoudness(mixed)))
  const safe = limited(levelled, decibels(TRUE_PEAK_CEILING_DB - 0.3), true).map((channel) =>
    turned(channel, samples(LEAD_IN_SECONDS)),
  )
  console.log(`  limiter: ${toDecibels(truePeak(safe) / truePeak(levelled)).toFixed(2)} dB at most`)
  report('music', safe, integratedLoudness(safe))
  if (debugFolder)
    writeFileSync(
      join(debugFolder, 'notes.json'),
      JSON.stringify({
        notes: noteLog,
        barStarts: BAR_STARTS,
        chords: BARS.map((content) => content.chords),
      }),
    )
  return safe
}
