import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { openDb } from '#server/platform/db/db.ts'
import { takeTerm } from '#server/platform/role-term.ts'
import { test } from '#tests/support/test-world.ts'
import { superviseProcess } from './supervise-process.ts'

test('a watcher that stands by for another one counts as started', async ({ world }) => {
  const db = openDb(world.urlFor('watcher'), { max: 1, applicationName: 'test-term' })
  const term = await takeTerm({ db, role: 'watcher', holder: 'elsewhere', log: pino({ level: 'silent' }) })
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: world.urlFor('watcher'),
    SOLANA_RPC_URL: 'http://127.0.0.1:9',
    COTTON_MINT: 'So11111111111111111111111111111111111111112',
  }
  const watcher = superviseProcess({ role: 'watcher', env, log: pino({ level: 'silent' }), graceMs: 0 })
  onTestFinished(async () => {
    await watcher.stop()
    await term.end({ release: true })
    await db.end()
  })
  expect(await watcher.ready).toEqual({})
})
