import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { isWell, tell, torture } from './torture-run.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('whatever is asked for while backends are killed: nothing acknowledged is missing, nothing is done twice, nobody innocent fails', async () => {
  const verdict = await torture(database, { seed: 1, forMs: 4_000, crashes: false, say: () => {} })
  expect(isWell(verdict), tell(verdict).join('\n')).toBe(true)
})
