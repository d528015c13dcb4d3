import { expect, test } from 'vitest'
import { breakableDatabase } from '#tests/support/breakable-database.ts'
import { freshDatabase } from '#tests/support/database.ts'
import { killServer, makeDataDir, runServer } from '#tests/support/run-server.ts'

test('a role that loses the database while it starts is started again', { timeout: 180_000 }, async () => {
  const database = await freshDatabase()
  const breakable = await breakableDatabase(database.url)
  const { dataDir, remove } = makeDataDir()
  breakable.breakNextConnectionOf('balances')
  const env = { ...database.environment, DATABASE_URL: breakable.url }
  const game = runServer({ dataDir, env })
  try {
    await game.ready
    expect(game.output()).toContain('The database was lost while the role watcher started')
  } finally {
    await killServer(game)
    await breakable.close()
    await database.drop()
    remove()
  }
})
