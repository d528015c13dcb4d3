import { expect } from 'vitest'
import { claim, claimAll } from '#server/workers/claim.ts'
import { hire } from '#server/workers/hire.ts'
import { openDb, type Sql, sql, type Tx } from '#server/platform/db/db.ts'
import { keyFor, test, type World } from '#tests/support/world.ts'

// Tables that grow with the players. Reading one of them whole makes every action slower for everyone.
const GROWING =
  /Scan (?:using \w+ )?on (accounts|entries|journals|idempotency_keys|workers|sessions|users|receipts)\b/

/** The lines of a plan that read all of a growing table, by themselves or along an index. */
function wholeReads(plan: readonly string[]): string[] {
  return plan.filter(
    (line, at) => GROWING.test(line) && (line.includes('Seq Scan') || !plan[at + 1]?.includes('Index Cond')),
  )
}

// What `lock_accounts` runs inside, where no plan shows it.
const lockAccounts = sql(
  'test-lock-accounts',
  'select a.* from accounts a where a.wallet = any($1) order by a.wallet, a.class for update',
)

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

const forgetKeys = sql('test-forget-keys', 'delete from idempotency_keys')
const analyze = sql('test-analyze', 'vacuum analyze')

test('no hot statement reads all of a table that grows, even while the tables are small', async ({
  world,
}) => {
  const statements = [...(await hotStatements(world)), lockAccounts]
  expect(statements.length).toBeGreaterThan(8)
  for (let player = 0; player < 20; player++)
    await world.hire(await world.player({ deposited: 50_000 }), 'kid')
  // Postgres knows how small the tables are, and that there are no keys: the worst moment to make a plan that stays.
  await world.db.rows(forgetKeys)
  await world.db.rows(analyze)
  const db = openDb(world.urlFor('api'), { max: 1, applicationName: 'test' })
  for (const { name, text } of statements) {
    const parameters = Math.max(...[...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])))
    const plan = await db.rows<Record<'QUERY PLAN', string>>(
      sql(`explain-${name}`, `explain (generic_plan) ${text}`),
      Array.from({ length: parameters }, () => null),
    )
    const lines = plan.map((row) => row['QUERY PLAN'])
    expect(wholeReads(lines), `${name}:\n${lines.join('\n')}`).toEqual([])
  }
  await db.end()
})
