import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { hasPassed, formatVerdict, runTorture } from './run-torture.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('while backends are killed, no acknowledged request is lost, none is executed twice, and no other request fails', async () => {
  const verdict = await runTorture(database, { seed: 1, durationMs: 4_000, crashes: false, log: () => {} })
  expect(hasPassed(verdict, { crashes: false }), formatVerdict(verdict).join('\n')).toBe(true)
  // A run that should crash Postgres and never did says nothing about crashes.
  expect(hasPassed(verdict, { crashes: true })).toBe(false)
})
