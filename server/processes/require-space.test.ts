import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { StartupError } from '#server/platform/startup-error.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { requireSpace } from './require-space.ts'

const { dataDir, remove } = makeDataDir()
afterAll(remove)

test('a database is not created on a disk that it would fill', () => {
  expect(() => requireSpace(dataDir, () => 99_999_999)).toThrow(
    new StartupError(
      `The disk of ${dataDir} is full: it has 99 MB left, and a new game needs 100 MB. Make room, or set DATA_DIR to a folder on another disk. Nothing was created.`,
    ),
  )
  expect(() => requireSpace(dataDir, () => 100_000_000)).not.toThrow()
})

test.runIf(existsSync('/proc/self'))('a file system that does not say its size refuses nothing', () => {
  expect(() => requireSpace('/proc')).not.toThrow()
})

test('a database that exists is left to Postgres', () => {
  mkdirSync(join(dataDir, 'postgres'))
  expect(() => requireSpace(dataDir, () => 0)).not.toThrow()
})
