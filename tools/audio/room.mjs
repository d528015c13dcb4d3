// A small wooden porch, applied by convolution round the loop.

import { Chance, SAMPLE_RATE, TAU, biquad, filtered, filteredThrough, place, samples } from './signal.mjs'

/** The room's answer to a clap: a few early reflections, then a tail that darkens as it fades. */
export function roomResponse(side, { tailSeconds, lateGain }) {
  const chance = new Chance(`room ${side}`)
  const response = new Float32Array(samples(tailSeconds * 1.25))
  const reflections = [
    [0.0091, 0.42],
    [0.0137, -0.36],
    [0.0193, 0.33],
    [0.0252, 0.28],
    [0.0331, -0.24],
    [0.0418, 0.2],
    [0.0527, -0.16],
  ]
  for (const [seconds, gain] of reflections) response[samples(seconds * (1 + 0.11 * chance.spread()))] += gain

  // Four bands of noise, each with its own fading time: low notes linger, high ones go first.
  const bands = [
    { filters: [biquad('highpass', 130, 0.7), biquad('lowpass', 420, 0.7)], seconds: tailSeconds, gain: 0.8 },
    {
      filters: [biquad('highpass', 420, 0.7), biquad('lowpass', 1400, 0.7)],
      seconds: tailSeconds * 0.92,
      gain: 1,
    },
    {
      filters: [biquad('highpass', 1400, 0.7), biquad('lowpass', 3600, 0.7)],
      seconds: tailSeconds * 0.66,
      gain: 0.75,
    },
    {
      filters: [biquad('highpass', 3600, 0.7), biquad('lowpass', 7500, 0.7)],
      seconds: tailSeconds * 0.4,
      gain: 0.4,
    },
  ]
  for (const { filters, seconds, gain } of bands) {
    const noise = new Float32Array(response.length)
    for (let i = 0; i < noise.length; i++) noise[i] = chance.spread()
    const shaped = filteredThrough(noise, filters, false)
    for (let i = 0; i < shaped.length; i++) {
      const t = i / SAMPLE_RATE
      const build = Math.min(1, Math.max(0, (t - 0.012) / 0.045))
      response[i] += lateGain * gain * shaped[i] * build * Math.exp((-6.9 * t) / seconds)
    }
  }
  const fade = samples(0.1)
  for (let i = 0; i < fade; i++) response[response.length - 1 - i] *= i / fade
  const smooth = filtered(response, biquad('lowpass', 5200, 0.6), false)
  const energy = Math.sqrt(smooth.reduce((sum, value) => sum + value * value, 0))
  return smooth.map((value) => value / energy)
}

/** Fast Fourier transform in place (length a power of two). */
function transform(real, imaginary, inverse) {
  const n = real.length
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1
    for (; j & bit; bit >>= 1) j ^= bit
    j ^= bit
    if (i < j) {
      ;[real[i], real[j]] = [real[j], real[i]]
      ;[imaginary[i], imaginary[j]] = [imaginary[j], imaginary[i]]
    }
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2
    const step = (inverse ? TAU : -TAU) / size
    const cosines = new Float64Array(half)
    const sines = new Float64Array(half)
    for (let k = 0; k < half; k++) {
      cosines[k] = Math.cos(step * k)
      sines[k] = Math.sin(step * k)
    }
    for (let start = 0; start < n; start += size) {
      for (let k = 0; k < half; k++) {
        const a = start + k
        const b = a + half
        const re = real[b] * cosines[k] - imaginary[b] * sines[k]
        const im = real[b] * sines[k] + imaginary[b] * cosines[k]
        real[b] = real[a] - re
        imaginary[b] = imaginary[a] - im
        real[a] += re
        imaginary[a] += im
      }
    }
  }
  if (inverse)
    for (let i = 0; i < n; i++) {
      real[i] /= n
      imaginary[i] /= n
    }
}

/** Plays data in a room. On a loop, the tail of the end sounds under the beginning. */
export function convolved(data, response, isLoop) {
  const size = 2 ** Math.ceil(Math.log2(response.length * 2))
  const block = size - response.length + 1
  const responseReal = new Float64Array(size)
  const responseImaginary = new Float64Array(size)
  responseReal.set(response)
  transform(responseReal, responseImaginary, false)
  const result = { data: new Float32Array(data.length), isLoop }
  for (let start = 0; start < data.length; start += block) {
    const real = new Float64Array(size)
    const imaginary = new Float64Array(size)
    real.set(data.subarray(start, Math.min(data.length, start + block)))
    transform(real, imaginary, false)
    for (let i = 0; i < size; i++) {
      const re = real[i] * responseReal[i] - imaginary[i] * responseImaginary[i]
      imaginary[i] = real[i] * responseImaginary[i] + imaginary[i] * responseReal[i]
      real[i] = re
    }
    transform(real, imaginary, true)
    place(result, real, start / SAMPLE_RATE)
  }
  return result.data
}
