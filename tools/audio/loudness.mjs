// What the ear measures (ITU-R BS.1770), and the ceiling that no peak may pass.

import { SAMPLE_RATE, filteredThrough, samples, toDecibels } from './signal.mjs'

const EAR = [
  [1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585],
  [1, -2, 1, -1.99004745483398, 0.99007225036621],
]

/** Mean-square power of 400 ms windows, a new one every 100 ms. */
function earPowers(channels, isLoop) {
  const heard = channels.map((channel) => filteredThrough(channel, EAR, isLoop))
  const window = samples(0.4)
  const hop = samples(0.1)
  const powers = []
  for (let start = 0; start + window <= heard[0].length; start += hop) {
    let sum = 0
    for (const channel of heard) for (let i = start; i < start + window; i++) sum += channel[i] * channel[i]
    powers.push(sum / window)
  }
  return powers
}

const loudnessOf = (power) => -0.691 + 10 * Math.log10(Math.max(power, 1e-15))
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Integrated loudness of a loop in LUFS, gated as the standard says. */
export function integratedLoudness(channels) {
  const audible = earPowers(channels, true).filter((power) => loudnessOf(power) > -70)
  const gate = loudnessOf(mean(audible)) - 10
  return loudnessOf(mean(audible.filter((power) => loudnessOf(power) > gate)))
}

/** The loudest 400 ms, for effects too short to integrate. */
export function momentaryLoudness(channels) {
  const padded = channels.map((channel) => {
    const data = new Float32Array(channel.length + samples(0.8))
    data.set(channel, samples(0.4))
    return data
  })
  return loudnessOf(Math.max(...earPowers(padded, false)))
}

const OVERSAMPLING = Array.from({ length: 4 }, (_, phase) =>
  Array.from({ length: 24 }, (_, tap) => {
    const x = tap - 11.5 + (phase - 1.5) / 4
    const sinc = Math.abs(x) < 1e-9 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
    return sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / 12.5))
  }),
)

/** The highest level between as well as on the samples. */
export function truePeak(channels) {
  let peak = 0
  for (const data of channels) {
    for (let i = 0; i < data.length; i++) {
      if (Math.abs(data[i]) < peak * 0.6) continue
      for (const taps of OVERSAMPLING) {
        let sum = 0
        for (let tap = 0; tap < 24; tap++) sum += taps[tap] * (data[i + tap - 12] ?? 0)
        if (Math.abs(sum) > peak) peak = Math.abs(sum)
      }
    }
  }
  return peak
}

/** Turns the few loudest moments down, smoothly and in advance, so nothing passes the ceiling. */
export function limited(channels, ceiling, isLoop) {
  const length = channels[0].length
  const look = samples(0.005)
  const hold = samples(0.012)
  const wanted = new Float32Array(length).fill(1)
  for (let i = 0; i < length; i++) {
    const peak = Math.max(...channels.map((channel) => Math.abs(channel[i])))
    if (peak <= ceiling) continue
    for (let j = i - look; j <= i + hold; j++) {
      const at = isLoop ? (j + length) % length : j
      if (at >= 0 && at < length) wanted[at] = Math.min(wanted[at], ceiling / peak)
    }
  }
  const gain = new Float32Array(length)
  let level = 1
  for (let i = isLoop ? -SAMPLE_RATE : 0; i < length; i++) {
    const target = wanted[(i + length) % length]
    level += (target - level) / ((target < level ? 0.0012 : 0.08) * SAMPLE_RATE)
    if (i >= 0) gain[i] = Math.min(1, level)
  }
  return channels.map((channel) => channel.map((value, i) => value * gain[i]))
}

export const scaled = (channels, gain) => channels.map((channel) => channel.map((value) => value * gain))

export function report(name, channels, loudness) {
  const seconds = (channels[0].length / SAMPLE_RATE).toFixed(3)
  console.log(
    `${name}: ${seconds} s, ${loudness.toFixed(2)} LUFS, true peak ${toDecibels(truePeak(channels)).toFixed(2)} dB`,
  )
}
