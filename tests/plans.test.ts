import { expect } from 'vitest'
import { claim, claimAll } from '#server/workers/claim.ts'
import { hire } from '#server/workers/hire.ts'
import { openDb, type Sql, sql, type Tx } from '#server/platform/db/db.ts'
import { keyFor, test, type World } from '#tests/support/world.ts'

// Tables that grow with the players. A scan of one of them makes every action slower for everyone.
const GROWING = /Seq Scan on (accounts|entries|journals|idempotency_keys|workers|sessions|users|receipts)\b/

/** Runs the hot actions once and answers every statement that they sent. */
async function hotStatements(world: World): Promise<Sql[]> {
  const seen = new Map<string, Sql>()
  const recorded = (tx: Tx): Tx => ({
    rows: (statement, values) => {
      seen.set(statement.name, statement)
      return tx.rows(statement, values)
    },
  })
  const { wallet } = await world.player({ deposited: 100_000 })
  const key = (name: string) => keyFor('/test', name, {})
  await world.db.transaction((tx) =>
    hire(recorded(tx), [{ wallet, workerType: 'kid', key: key('first-hire') }], world.clock),
  )
  const workerId = await world.hire({ wallet, sign: () => Buffer.alloc(0) }, 'kid')
  world.clock.advance(3_600_000)
  await world.db.transaction((tx) =>
    claim(recorded(tx), [{ wallet, workerId, key: key('first-claim') }], world.clock),
  )
  await world.db.transaction((tx) =>
    claimAll(recorded(tx), [{ wallet, workerType: null, key: key('claim-all') }], world.clock),
  )
  return [...seen.values()]
}

test('no hot statement scans a table that grows, even while the tables are small', async ({ world }) => {
  const statements = await hotStatements(world)
  expect(statements.length).toBeGreaterThan(8)
  // Now Postgres knows how small the tables are: the worst moment to make a plan that stays.
  await world.db.rows(sql('test-analyze', 'analyze'))
  const db = openDb(world.urlFor('api'), { max: 1, applicationName: 'test' })
  for (const { name, text } of statements) {
    const parameters = Math.max(...[...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])))
    const plan = await db.rows<Record<'QUERY PLAN', string>>(
      sql(`explain-${name}`, `explain (generic_plan) ${text}`),
      Array.from({ length: parameters }, () => null),
    )
    const lines = plan.map((row) => row['QUERY PLAN'])
    expect(
      lines.filter((line) => GROWING.test(line)),
      `${name}:\n${lines.join('\n')}`,
    ).toEqual([])
  }
  await db.end()
})
