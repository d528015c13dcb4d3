import { SAMPLE_RATE } from './signal.mjs'

/** 32-bit float WAV. */
export function wav(channels) {
  const frames = channels[0].length
  const bytesPerFrame = channels.length * 4
  const buffer = Buffer.alloc(44 + frames * bytesPerFrame)
  buffer.write('RIFF', 0)
  buffer.writeUInt32LE(36 + frames * bytesPerFrame, 4)
  buffer.write('WAVEfmt ', 8)
  buffer.writeUInt32LE(16, 16)
  buffer.writeUInt16LE(3, 20)
  buffer.writeUInt16LE(channels.length, 22)
  buffer.writeUInt32LE(SAMPLE_RATE, 24)
  buffer.writeUInt32LE(SAMPLE_RATE * bytesPerFrame, 28)
  buffer.writeUInt16LE(bytesPerFrame, 32)
  buffer.writeUInt16LE(32, 34)
  buffer.write('data', 36)
  buffer.writeUInt32LE(frames * bytesPerFrame, 40)
  const view = new Float32Array(buffer.buffer, buffer.byteOffset + 44, frames * channels.length)
  channels.forEach((channel, c) => {
    for (let i = 0; i < frames; i++) view[i * channels.length + c] = channel[i]
  })
  return buffer
}
