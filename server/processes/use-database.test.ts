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
