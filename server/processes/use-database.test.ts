import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
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

test('a command with the settings of no game creates none', async () => {
  for (const path of [join(dataDir, 'missing'), dataDir]) {
    const using = useDatabase(readConfig({ DATA_DIR: path }), async () => 'used')
    await expect(using).rejects.toThrow(
      `There is no database of a game in ${path}: set DATA_DIR or DATABASE_URL as the game has it.`,
    )
    expect(existsSync(join(path, 'postgres'))).toBe(false)
  }
  expect(existsSync(join(dataDir, 'missing'))).toBe(false)
})
