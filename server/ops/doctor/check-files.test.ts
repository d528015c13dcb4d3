import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { checkFiles } from './check-files.ts'
import { lineOf } from './finding.ts'

const { dataDir, remove } = makeDataDir()
afterAll(remove)

test('secrets that the user of the doctor may not list are a finding, and not its end', () => {
  // A file in the place of the folder cannot be listed by root either.
  const secrets = join(dataDir, 'secrets')
  writeFileSync(secrets, '')
  const env = { DATA_DIR: dataDir }
  const lines = checkFiles({ config: readConfig(env), env, now: () => new Date() }).map(lineOf)
  expect(lines).toContain(
    `FIX   files: ${secrets} cannot be listed (ENOTDIR) — run the doctor as the user of the game`,
  )
  expect(lines.some((line) => line.includes('disk: '))).toBe(true)
})
