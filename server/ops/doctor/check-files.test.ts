import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { checkFiles } from './check-files.ts'
import { lineOf } from './finding.ts'

const { dataDir, remove } = makeDataDir()
afterAll(remove)

const findings = (folder: string): string[] => {
  const env = { DATA_DIR: folder }
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
