// Renders all music and sounds of the game from their score into `web/audio`: no samples, no dependencies. All of it
// is original. Every accident is seeded, so the same source gives the same audio.
//
//   node tools/audio/render-audio.mjs [--out DIR] [--only NAME,NAME] [--debug DIR]
//
// `--debug` also writes the WAVs, one stem per player and the notes. Encoding needs an ffmpeg with libopus.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { EFFECTS, renderEffect } from './effects.mjs'
import { renderMusic } from './mix.mjs'
import { fail } from './signal.mjs'
import { wav } from './wav.mjs'

// For AAC, nothing above 9 kHz and no invented noise: on plucked strings the bits do more below.
const CODECS = {
  opus: ['-c:a', 'libopus', '-vbr', 'constrained', '-compression_level', '10', '-application', 'audio'],
  m4a: ['-c:a', 'aac', '-aac_pns', '0', '-cutoff', '9000', '-movflags', '+faststart'],
}
const BIT_RATES = { music: { opus: '60k', m4a: '59.5k' }, effect: { opus: '72k', m4a: '80k' } }

function encode(wavPath, outPath, codec, rate) {
  const result = spawnSync(
    'ffmpeg',
    [
      '-v',
      'error',
      '-y',
      '-i',
      wavPath,
      '-map_metadata',
      '-1',
      '-fflags',
      '+bitexact',
      '-flags:a',
      '+bitexact',
      ...CODECS[codec],
      '-b:a',
      rate,
      outPath,
    ],
    { encoding: 'utf8' },
  )
  if (result.error) fail(`ffmpeg could not be started: ${result.error.message}`)
  if (result.status !== 0) fail(`ffmpeg failed on ${outPath}: ${result.stderr}`)
}

function main() {
  const options = new Map()
  for (let i = 2; i < process.argv.length; i += 2) options.set(process.argv[i], process.argv[i + 1])
  const outFolder = options.get('--out') ?? resolve(import.meta.dirname, '../../web/audio')
  const debugFolder = options.get('--debug')
  const workFolder = debugFolder ?? join(outFolder, '.work')
  const names = options.get('--only')?.split(',') ?? ['music', ...Object.keys(EFFECTS)]
  mkdirSync(outFolder, { recursive: true })
  mkdirSync(workFolder, { recursive: true })

  for (const name of names) {
    const isMusic = name === 'music'
    if (!isMusic && !EFFECTS[name]) fail(`Nothing is called ${name}`)
    const channels = isMusic ? renderMusic(debugFolder) : renderEffect(name)
    const wavPath = join(workFolder, `${name}.wav`)
    writeFileSync(wavPath, wav(channels))
    for (const [codec, rate] of Object.entries(BIT_RATES[isMusic ? 'music' : 'effect'])) {
      encode(wavPath, join(outFolder, `${name}.${codec}`), codec, rate)
    }
  }
  if (!debugFolder) rmSync(workFolder, { recursive: true })
}

main()
