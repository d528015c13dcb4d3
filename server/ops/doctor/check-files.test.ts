import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { checkFiles } from './check-files.ts'
import { lineOf } from './finding.ts'

const { dataDir, remove } = makeDataDir()
afterAll(remove)

const NOBODY = 65_534

const findings = (folder: string, settings: Record<string, string> = {}): string[] => {
  const env = { DATA_DIR: folder, ...settings }
  return checkFiles({ config: readConfig(env), env, now: () => new Date() }).map(lineOf)
}

test('secrets that the user of the doctor may not list are a finding, and not its end', () => {
  // A file in the place of the folder cannot be listed by root either.
  const secrets = join(dataDir, 'secrets')
  writeFileSync(secrets, '')
  const lines = findings(dataDir)
  expect(lines).toContain(
    `FIX   files: ${secrets} cannot be listed (ENOTDIR) — run the doctor as the user of the game`,
  )
  expect(lines.some((line) => line.includes('disk: '))).toBe(true)
})

test.runIf(existsSync('/proc/self'))('a file system that does not say its size is not a full one', () => {
  const [line] = findings('/proc').filter((each) => each.includes('disk: '))
  expect(line).toMatch(/^ok .*disk: the disk of \/proc does not say how much is free$/)
})

test.runIf(process.getuid?.() === 0)('a seed that the user of the signer cannot read is a finding', () => {
  const folder = join(dataDir, 'of-the-game')
  const seed = join(dataDir, 'signer.seed')
  mkdirSync(folder)
  chownSync(folder, NOBODY, NOBODY)
  // As root makes it with the command of the guide.
  writeFileSync(seed, '', { mode: 0o400 })
  const examine = () => findings(folder, { SIGNER_SEED_FILE: seed }).filter((each) => each.includes('seed: '))
  expect(examine()).toEqual([
    `FIX   seed: ${seed} belongs to the user 0, and the signer runs as ${NOBODY} — chown ${NOBODY} ${seed}`,
  ])
  chownSync(seed, NOBODY, NOBODY)
  const ok = `ok    seed: ${seed} is readable by its owner only`
  expect(examine()).toEqual([ok])
  // An operator has made the data folder, and the signer has a user of its own.
  chownSync(folder, NOBODY - 1, NOBODY - 1)
  mkdirSync(join(folder, 'signed'))
  chownSync(join(folder, 'signed'), NOBODY, NOBODY)
  expect(examine()).toEqual([ok])
})
