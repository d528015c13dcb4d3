import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { lockFolder } from './lock-folder.ts'
import { useDatabase } from './use-database.ts'

const { dataDir, remove } = makeDataDir()
afterAll(remove)

test('a command beside a game whose database it does not find says how to name it', async () => {
  const unlock = lockFolder(dataDir, { name: 'server', lockedMessage: '', waitMs: 0 })
  const using = useDatabase(readConfig({ DATA_DIR: dataDir }), async () => 'used')
  await expect(using).rejects.toThrow(
    `A game runs on ${dataDir}, and its database is not there: set DATABASE_URL as that game has it, or wait until it has started.`,
  )
  unlock()
})

test('a lock whose file cannot be opened is named', () => {
  // A folder in its place fails like a file of another user, also for root.
  const path = join(dataDir, 'other.lock')
  mkdirSync(path)
  expect(() => lockFolder(dataDir, { name: 'other', lockedMessage: '', waitMs: 0 })).toThrow(
    new StartupError(`${path} cannot be opened: it must be a file of the user that runs the game.`),
  )
})
