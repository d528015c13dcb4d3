import { appendFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDataDir } from '#tests/support/run-server.ts'
import { startPostgres } from './postgres.ts'

const { dataDir, remove } = makeDataDir()
afterAll(remove)

test(
  'a lost password of the owner ends the start with a sentence, and the database with it',
  {
    timeout: 90_000,
  },
  async () => {
    const settings = ['shared_buffers=16MB', 'max_wal_size=64MB', 'min_wal_size=32MB']
    const postgres = await startPostgres({ dataDir, settings })
    await postgres.stop()
    rmSync(join(dataDir, 'secrets', 'database-owner'))
    await expect(startPostgres({ dataDir, settings })).rejects.toThrow(
      'secrets/database-owner does not contain the password of the database beside it',
    )
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  },
)

test('a start that fails quotes the log of this start, whatever the log of earlier ones contains', async () => {
  appendFileSync(join(dataDir, 'postgres.log'), 'STATEMENT:  ‚earlier‘ – '.repeat(1_000))
  await expect(startPostgres({ dataDir, settings: ['no_such_setting=1'] })).rejects.toThrow(
    /^The built-in Postgres did not start: .*FATAL: +unrecognized configuration parameter "no_such_setting"/,
  )
})
