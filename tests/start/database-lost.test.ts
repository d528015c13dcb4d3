/** @module-tag variant */
import { expect, test } from 'vitest'
import { openDb, rowOf, sql } from '#server/platform/db/db.ts'
import { breakableDatabase } from '#tests/support/breakable-database.ts'
import { freshDatabase } from '#tests/support/database.ts'
import { killServer, makeDataDir, runServer, waitFor } from '#tests/support/run-server.ts'

/**
 * As another signer does, which then ends. Returns no row before a signer works: one that has only just taken the term, and not
 * read it yet, takes it again.
 */
const takeTerm = sql({
  name: 'test-take-term',
  row: rowOf<{ term: bigint }>(),
  text: `update role_terms set term = term + 1, instance = gen_random_uuid()
    where role = 'signer' and exists (select from deposit_addresses) returning term`,
})

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

test(
  'a signer that loses its term while the game starts is started again',
  { timeout: 180_000 },
  async () => {
    const database = await freshDatabase()
    const owner = openDb(database.directUrl, { max: 1, applicationName: 'test-owner' })
    const { dataDir, remove } = makeDataDir()
    const game = runServer({ dataDir, env: database.environment })
    try {
      // Mostly before it is ready: it funds the pool first.
      await waitFor('a signer', async () => (await owner.rows(takeTerm)).length > 0, 120_000)
      await game.ready
      // On a slow machine it may notice after the start.
      const ended = 'The role signer ended (Another signer has taken over, or the database has'
      await waitFor('the end of the signer', async () => game.output().includes(ended), 60_000)
      expect(game.output()).not.toMatch(/^TermLostError/m)
    } finally {
      await killServer(game)
      await owner.end()
      await database.drop()
      remove()
    }
  },
)
