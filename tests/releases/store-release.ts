// Keeps a data folder of this version, made by playing: npm run keep-release
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { playRelease } from './play-release.ts'
import { packRelease, removeFolder } from './release-archive.ts'

const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const dataDir = mkdtempSync(join(tmpdir(), 'cotton-farm-release-'))
try {
  const rows = await playRelease(dataDir, (line) => say(`Playing: ${line} …`))
  const bytes = packRelease(version, dataDir)
  say(
    `tests/releases/${version}.tar.zst: ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB. Commit it with the release.`,
  )
} finally {
  removeFolder(dataDir)
}
