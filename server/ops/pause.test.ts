import { expect, test } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import { openDb } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { readPasswords } from '#server/platform/db/roles.ts'
import { readPause } from '#server/withdrawals/withdrawal-pause.ts'
import { freshDatabase } from '#tests/support/database.ts'
import { ops } from '#tests/support/run-ops.ts'

test('withdrawals are paused in a restored backup of 0.1.0 before the first start migrates it', async ({
  onTestFinished,
}) => {
  const database = await freshDatabase('template0')
  const url = database.directUrl
  const db = openDb(url, { max: 2, applicationName: 'test-restored' })
  onTestFinished(async () => {
    await db.end()
    await database.drop()
  })
  const passwords = readPasswords({ env: database.environment, secretsDir: '' })
  const migrating = { url, passwords, ownCluster: false, migrationsOnly: true }
  await migrate({ ...migrating, upTo: '0001_schema.sql' })
  const why = 'Coming back from a backup.'
  const pausing = ['pause', 'withdrawals', '--by', 'ana', '--reason', why]
  expect(await ops({ db, clock: systemClock }, ...pausing)).toBe('Withdrawals are paused.')
  await migrate(migrating)
  expect(await readPause(db)).toMatchObject({ id: expect.any(String), why })
})
