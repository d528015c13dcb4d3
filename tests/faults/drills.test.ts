import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { runDrills } from './run-drills.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test(
  'a backup taken under load has a clean ledger and every response given before it began',
  { timeout: 180_000 },
  async () => {
    const { faults, acknowledged } = await runDrills(database, { seed: 7, count: 2, log: () => {} })
    expect(faults).toEqual([])
    expect(acknowledged.at(-1)).toBeGreaterThan(acknowledged[0]!)
  },
)
