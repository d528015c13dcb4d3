import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConsoleRoute } from '#contract/console/route.ts'
import { CONSOLE_ROUTES, type ConsoleRouteName } from '#contract/console/routes.ts'
import { type Db, openDb, type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { costOf, explainStatement, type SentStatement } from '#tests/support/explain-statement.ts'
import { FIRST_PLAYER, growConsole } from '#tests/support/grow-console.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import {
  callConsole,
  logInToConsole,
  openConsole,
  type TestConsole,
} from '#tests/support/operators-console.ts'
import { testClock } from '#tests/support/test-world.ts'

// Set CONSOLE_PLAYERS=1000000 to run the tests with a million players and ten million journals.
const PLAYERS = Number(process.env.CONSOLE_PLAYERS ?? 10_000)

/** A page has fifty rows, and each is looked up in a few indexes. */
const MAX_BLOCKS = 2_500
const MAX_DISCARDED = 500

let database: FreshDatabase
let owner: Db
let login: Db
let operators: TestConsole
let token: string
let wallet: string
let sent: SentStatement[] = []

beforeAll(async () => {
  database = await freshDatabase()
  await growConsole(database.url, PLAYERS)
  owner = openDb(database.url, { max: 1, applicationName: 'test-owner' })
  login = openDb(database.urlFor('console'), { max: 1, applicationName: 'test-explain' })
  const [row] = await owner.rows(
    sql({ name: 'test-first-player', row: rowOf<{ wallet: string }>(), text: FIRST_PLAYER }),
  )
  wallet = row!.wallet
  const record = (on: Queryable) =>
    interceptStatements(on, (statement, run) => {
      sent.push(statement)
      return run()
    })
  const clock = testClock('2026-01-05T12:00:00.000Z')
  const wrap = (db: Db): Db => ({
    ...db,
    rows: record(db).rows,
    transaction: (work) => db.transaction((tx) => work(record(tx))),
  })
  operators = await openConsole({ urlFor: (role) => database.urlFor(role), clock }, { wrap })
  token = await logInToConsole(operators, operators.addOperator('Ana', 'view'))
}, 120_000 + PLAYERS)

afterAll(async () => {
  await operators.close()
  await login.end()
  await owner.end()
  await database.drop()
})

type Query = Record<string, string>

/** Each list with each of its filters. A function is called once the player is known. */
const LISTS: [ConsoleRouteName, () => Query, { pages: number }][] = [
  ...['open', 'requested', 'review', 'finalized', 'refunded'].map(
    (state): [ConsoleRouteName, () => Query, { pages: number }] => [
      'listWithdrawals',
      () => ({ state }),
      { pages: 2 },
    ],
  ),
  ['listWithdrawals', () => ({ state: 'open', wallet }), { pages: 1 }],
  ['listWithdrawals', () => ({ state: 'finalized', wallet }), { pages: 1 }],
  ...['pending', 'credited', 'uncredited', 'unassigned'].map(
    (view): [ConsoleRouteName, () => Query, { pages: number }] => [
      'listDeposits',
      () => ({ view }),
      { pages: 2 },
    ],
  ),
  ['listDeposits', () => ({ view: 'credited', wallet }), { pages: 1 }],
  ['listPlayers', () => ({}), { pages: 2 }],
  ['listPlayers', () => ({ search: wallet.slice(0, 1) }), { pages: 2 }],
  ['listPlayers', () => ({ search: wallet.slice(0, 12) }), { pages: 1 }],
  ['listJournals', () => ({}), { pages: 2 }],
  ['listJournals', () => ({ kind: 'claim' }), { pages: 2 }],
  ['listJournals', () => ({ kind: 'hire' }), { pages: 2 }],
  ['listJournals', () => ({ kind: 'funding' }), { pages: 1 }],
  ['listJournals', () => ({ wallet }), { pages: 1 }],
  ['listJournals', () => ({ wallet, kind: 'claim' }), { pages: 1 }],
  ['listJournals', () => ({ kind: 'hire', from: '2026-01-05', to: '2026-01-05' }), { pages: 2 }],
  ['listLog', () => ({}), { pages: 2 }],
  ['listLog', () => ({ who: 'Ana' }), { pages: 2 }],
  ['listActs', () => ({}), { pages: 2 }],
  ['listActs', () => ({ state: 'done' }), { pages: 2 }],
  ['listActs', () => ({ state: 'refused' }), { pages: 1 }],
  ['listAnnouncements', () => ({}), { pages: 1 }],
  ['readToday', () => ({}), { pages: 1 }],
  ['readActivity', () => ({ span: 'month' }), { pages: 1 }],
  ['readBooksHistory', () => ({ span: 'month' }), { pages: 1 }],
  ['readLive', () => ({}), { pages: 1 }],
  ['readPlayer', () => ({ wallet }), { pages: 1 }],
  ['readWorld', () => ({}), { pages: 1 }],
  ['readBooks', () => ({}), { pages: 1 }],
]

const GROWING = new Set(
  (
    'accounts deposit_addresses entries hourly_totals journals listings operator_acts operator_log payout_replacements ' +
    'payouts receipts sessions supply_history users withdrawals workers'
  ).split(' '),
)

/** These sum what is open, which one index holds, or read the hours of a chart. */
const READ_MORE = new Set([
  'monitoring-read-open-withdrawals',
  'monitoring-read-waiting',
  'console-read-hours',
])

/** The ways in which a statement reads more than the rows that it needs. */
async function findingsOf(statement: SentStatement, db: Queryable = login): Promise<string[]> {
  const { name } = statement
  const all = await explainStatement(db, statement)
  const { blocks, discarded } = costOf(all)
  const scanned = all.filter(
    (each) => each['Node Type'] === 'Seq Scan' && GROWING.has(each['Relation Name'] ?? ''),
  )
  return [
    ...scanned.map((each) => `${name} scans ${each['Relation Name']}`),
    ...(blocks > MAX_BLOCKS && !READ_MORE.has(name) ? [`${name} touches ${blocks} blocks`] : []),
    ...(discarded > MAX_DISCARDED ? [`${name} discards ${discarded} rows`] : []),
  ]
}

/** Reads a page, and returns what was sent for it. */
async function readPage(route: ConsoleRoute, query: Query) {
  sent = []
  const { status, body } = await callConsole(operators, route, { token, query })
  const statements = sent.filter(({ text }) => /^\s*(select|with)/.test(text))
  expect([route.path, query, status, body.message]).toEqual([route.path, query, 200, undefined])
  return { statements, next: typeof body.next === 'string' ? body.next : null, items: body.items }
}

test('every list and every page of numbers is read here', () => {
  const reads = Object.entries(CONSOLE_ROUTES).filter(
    ([, { method, right, csv }]) => method === 'GET' && right !== 'nobody' && !csv,
  )
  // These find one row by its key, or ask Postgres about itself.
  const byKey = ['readSession', 'readWithdrawal', 'readAct', 'readHealth']
  expect(new Set([...LISTS.map(([name]) => name), ...byKey])).toEqual(new Set(reads.map(([name]) => name)))
})

for (const [at, [name, queryOf, { pages }]] of LISTS.entries()) {
  test(`${at + 1}: ${name} reads by key, with ${PLAYERS.toLocaleString('en')} players`, async () => {
    const query = queryOf()
    const first = await readPage(CONSOLE_ROUTES[name], query)
    const read = [...first.statements]
    if (pages === 2) {
      expect(first.next, JSON.stringify(query)).toEqual(expect.any(String))
      const second = await readPage(CONSOLE_ROUTES[name], { ...query, cursor: first.next ?? '' })
      expect(second.items).not.toEqual(first.items)
      read.push(...second.statements)
    }
    expect(new Set(read.map((statement) => statement.name)).size).toBeGreaterThan(1)
    const findings = []
    for (const statement of read) findings.push(...(await findingsOf(statement)))
    expect(findings, JSON.stringify(query)).toEqual([])
  })
}

test('all pages of a list together are each of its rows once', async () => {
  const seen: unknown[] = []
  let cursor: string | null = null
  do {
    const query: Query = { state: 'open', ...(cursor && { cursor }) }
    const page = await readPage(CONSOLE_ROUTES.listWithdrawals, query)
    seen.push(...(page.items as { id: string }[]).map(({ id }) => id))
    cursor = page.next
  } while (cursor)
  expect(seen).toHaveLength(PLAYERS / 10)
  expect(new Set(seen).size).toBe(seen.length)
})

/** The settings of the console's login, on which plans depend. */
const LIKE_CONSOLE = `select set_config(name, 'off', true)
  from unnest(array['enable_seqscan', 'enable_mergejoin', 'enable_hashjoin', 'jit']) name`

test('an index that a list needs is missed when it is gone', async () => {
  // With few rows the others can be replaced by a short scan.
  const needed = ['withdrawals_by_state', 'users_by_prefix']
  const statements: SentStatement[] = []
  for (const [name, queryOf] of LISTS)
    statements.push(...(await readPage(CONSOLE_ROUTES[name], queryOf())).statements)
  const findIn = async (queryable: Queryable): Promise<string[]> => {
    const findings = []
    for (const statement of statements) findings.push(...(await findingsOf(statement, queryable)))
    return findings
  }
  const rollback = new Error('roll back')
  for (const index of needed) {
    const attempt = owner.transaction(async (tx) => {
      await tx.rows(sql({ name: 'test-like-console', text: LIKE_CONSOLE }))
      expect([index, await findIn(tx)]).toEqual([index, []])
      await tx.rows(sql({ name: `test-drop-${index}`, text: `drop index ${index}` }))
      expect([index, await findIn(tx)]).not.toEqual([index, []])
      throw rollback
    })
    await attempt.catch((error: unknown) => {
      if (error !== rollback) throw error
    })
  }
})
