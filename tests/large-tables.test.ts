import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RouteName, ROUTES } from '#contract/routes.ts'
import { createApp } from '#server/app.ts'
import { startLocalChain } from '#local-chain/run-local-chain.ts'
import { connectChain } from '#server/chain/solana.ts'
import { renewAddressOffer } from '#server/deposits/retire-addresses.ts'
import { readConfig } from '#server/platform/config.ts'
import { type Db, openDb, type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { costOf, explainStatement, type SentStatement } from '#tests/support/explain-statement.ts'
import { growTables } from '#tests/support/grow-tables.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { logIn } from '#tests/support/serve-app.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { testClock } from '#tests/support/test-world.ts'

// Set LARGE_ROWS=1000000 to run the tests with a million rows. `npm test` has fewer, because building
// the tables takes most of the time.
const USUAL_ROWS = process.env.TEST_VARIANTS === 'no' ? 30_000 : 100_000
const ROWS = Number(process.env.LARGE_ROWS ?? USUAL_ROWS)

const MAX_BYTES = 400_000
const MAX_BLOCKS = 1_000
const MAX_DISCARDED = 500

/** Statements that read all rows of the player, which is the player of all rows here. Pages are not possible for a sum. */
const READ_OWN_ROWS = new Set(['milestones-workers'])
const MAX_OWN_BLOCKS = MAX_BLOCKS + ROWS / 25

const [player, buyer] = [testPlayer(), testPlayer()]
const rowOwners = { wallet: player.wallet, buyer: buyer.wallet, parcelId: 'EU-FR', region: 'EU' }

/** One call to each GET route; `page` is the name of its cursor parameter. */
// Routes without parameters are called by their path.
const CALLS: Partial<Record<RouteName, { url: string; page?: string }>> = {
  ...Object.fromEntries(
    Object.entries(ROUTES)
      .filter(([, { method, path, query }]) => method === 'GET' && !path.includes(':') && !query)
      .map(([name, { path }]) => [name, { url: path }]),
  ),
  readUser: { url: `/api/users/wallet/${player.wallet}` },
  readHistory: { url: '/api/users/history', page: 'before' },
  exportHistory: { url: '/api/users/history.csv?from=2026-01-05&to=2026-01-05' },
  readStatement: { url: '/api/users/statement?month=2026-01' },
  exportStatement: { url: '/api/users/statement.csv?month=2026-01' },
  readDeposits: { url: '/api/deposits', page: 'before' },
  readWithdrawals: { url: '/api/users/withdrawals', page: 'before' },
  readOwnedWorkers: { url: '/api/workers/owned', page: 'after' },
  readContinentPrice: { url: '/api/continent-price/EU' },
  readParcels: { url: '/api/parcels?regionId=EU' },
  readParcelSales: { url: '/api/parcels/EU-FR/sales', page: 'before' },
  readUserListings: { url: `/api/marketplace/listings/user/${player.wallet}`, page: 'before' },
}

let dir: string
let database: FreshDatabase
let local: Awaited<ReturnType<typeof startLocalChain>>
let app: FastifyInstance
let api: Db
let token: string
let sentStatements: SentStatement[] = []

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'cotton-farm-large-'))
  ;[database, local] = await Promise.all([freshDatabase(), startLocalChain({ dir, port: 0 })])
  await growTables(database.url, ROWS, rowOwners)
  api = openDb(database.urlFor('api'), { max: 5, applicationName: 'test-api' })
  const recordStatements = (on: Queryable) =>
    interceptStatements(on, (statement, run) => {
      // A setting has no plan.
      if (!statement.text.startsWith('set ')) sentStatements.push(statement)
      return run()
    })
  const db: Db = {
    ...api,
    rows: recordStatements(api).rows,
    transaction: (work) => api.transaction((tx) => work(recordStatements(tx))),
  }
  const config = readConfig({
    SOLANA_RPC_URL: local.url,
    COTTON_MINT: local.mint,
    LOCAL_CHAIN: 'on',
    DATA_DIR: dir,
    PUBLIC_URL: 'http://farm.test',
    RATE_LIMITS: 'off',
    DATABASE_URL: database.urlFor('api'),
  })
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [local.url] })
  const clock = testClock('2026-01-05T12:00:00.000Z')
  app = await createApp({ config, db, chain, clock, log: pino({ level: 'silent' }) })
  token = await logIn(app, player)
  const owner = openDb(database.url, { max: 1, applicationName: 'test-owner' })
  await owner.rows(addAddress)
  await owner.transaction((tx) => renewAddressOffer(tx, clock.now()))
  await owner.end()
}, 300_000 + ROWS)

afterAll(async () => {
  await app.close()
  await api.end()
  await Promise.all([database.drop(), local.stop()])
  rmSync(dir, { recursive: true, force: true })
})

const addAddress = sql({
  name: 'test-add-address',
  text: `insert into deposit_addresses (index, owner, token_account)
   values (1, '7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q', '8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh')`,
})

const GROWING = new Set(
  (
    'accounts deposit_addresses entries journals listings milestones nonces payout_replacements payouts receipts ' +
    'reward_day_wallets sessions users withdrawals workers'
  ).split(' '),
)

/** Without these indexes Postgres reads as little along another one: of any statement, or of one that reads all rows. */
const REPLACEABLE = new Set([
  'deposit_addresses_of_nobody',
  'sessions_by_age',
  'milestones-workers workers_pkey',
  'statement-sums journals_by_wallet',
  'transparency-read-queue withdrawals_open_of_wallet',
  // All rows here are of one player and one parcel, so Postgres finds them along the index by parcel.
  'milestones-land listings_sold_parcels',
  // All rows here are of one seller, so Postgres finds the newest sales along the index by seller or by journal.
  'listings-read-sold-of listings_sold_by_journal',
  'listings-read-sold-of listings_journal_id_key',
  // All rows here are of one player, so Postgres skips to the ids along the index by wallet.
  'journals_pkey',
])

/** The ways in which a statement reads more than the rows that it needs. */
async function findingsOf(statement: SentStatement, db: Queryable = api): Promise<string[]> {
  const { name } = statement
  const all = await explainStatement(db, statement)
  const { blocks, discarded } = costOf(all)
  const scanned = all
    .filter((each) => each['Node Type'] === 'Seq Scan' && GROWING.has(each['Relation Name']!))
    .map((each) => `${name} scans ${each['Relation Name']}`)
  return [
    ...scanned,
    ...(blocks > (READ_OWN_ROWS.has(name) ? MAX_OWN_BLOCKS : MAX_BLOCKS)
      ? [`${name} touches ${blocks} blocks`]
      : []),
    ...(discarded > MAX_DISCARDED ? [`${name} reads and discards ${discarded} rows`] : []),
  ]
}

async function measure(url: string, as: string | null) {
  sentStatements = []
  const answer = await app.inject({ method: 'GET', url, headers: as === null ? {} : { 'x-auth-token': as } })
  const statements = sentStatements
  return {
    statements,
    status: answer.statusCode,
    bytes: answer.rawPayload.length,
    body: isJson(answer) ? answer.json() : null,
  }
}

const isJson = ({ headers }: { headers: Record<string, unknown> }): boolean =>
  String(headers['content-type']).includes('json')

type Measured = Awaited<ReturnType<typeof measure>> & { url: string }

/** Calls a route as each kind of caller that it serves: the first page and, of a list, the second, which is read differently. */
async function measurePages(name: RouteName): Promise<Measured[]> {
  const { url, page } = CALLS[name]!
  const { auth } = ROUTES[name]
  const measured: Measured[] = []
  for (const caller of auth === 'anyone' ? [null] : auth === 'player' ? [token] : [null, token]) {
    const first = await measure(url, caller)
    measured.push({ url, ...first })
    const { next } = (first.body ?? {}) as { next?: string | null }
    if (page && (auth !== 'either' || caller !== null))
      expect(next, `${url} returns a cursor`).toEqual(expect.any(String))
    if (!page || !next) continue
    const nextUrl = `${url}?${page}=${next}`
    const second = await measure(nextUrl, caller)
    expect(second.body, nextUrl).not.toEqual(first.body)
    measured.push({ url: nextUrl, ...second })
  }
  return measured
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/?]+')}(\\?|$)`)

test('every GET route has a call, and the call is to that route', () => {
  const routes = Object.entries(ROUTES).filter(([, route]) => route.method === 'GET')
  expect(Object.keys(CALLS).toSorted()).toEqual(routes.map(([name]) => name).toSorted())
  for (const [name, { path }] of routes) expect(CALLS[name as RouteName]!.url).toMatch(patternOf(path))
})

for (const name of Object.keys(CALLS) as RouteName[]) {
  test(`${name} reads by key and within the block limit, with ${ROWS.toLocaleString('en')} rows in the tables`, async () => {
    for (const { url, statements, status, bytes } of await measurePages(name)) {
      expect([url, status]).toEqual([url, 200])
      expect(bytes, `${url} answers ${bytes} bytes`).toBeLessThan(MAX_BYTES)
      const findings = (await Promise.all(statements.map((each) => findingsOf(each)))).flat()
      expect(findings, url).toEqual([])
    }
  })
}

async function isSlow(statement: SentStatement, db: Queryable): Promise<boolean> {
  try {
    return (await findingsOf(statement, db)).length > 0
  } catch (error) {
    if ((error as { code?: string }).code === QUERY_CANCELED) return true
    throw error
  }
}

const QUERY_CANCELED = '57014'

/** Runs `work` as the owner of the tables with one index dropped, and rolls back. */
async function withoutIndex<T>(owner: Db, index: string, work: (db: Queryable) => Promise<T>): Promise<T> {
  let result: { value: T } | null = null
  const rollback = new Error('roll back')
  const attempt = owner.transaction(async (tx) => {
    const [constraint] = await tx.rows(findConstraint, { index })
    const drop = constraint
      ? `alter table ${constraint.table} drop constraint ${index} cascade`
      : `drop index ${index}`
    await tx.rows(sql({ name: `test-drop-${index}`, text: drop }))
    await tx.rows(limitTime)
    result = { value: await work(tx) }
    throw rollback
  })
  await attempt.catch((error: unknown) => {
    if (error !== rollback) throw error
  })
  return result!.value
}

// Without its index a statement may take minutes.
const limitTime = sql({ name: 'test-limit-time', text: `set local statement_timeout = '2s'` })

const findConstraint = sql({
  name: 'test-find-constraint',
  params: { index: 'text' },
  row: rowOf<{ table: string }>(),
  text: ({ index }) => `select conrelid::regclass::text as table from pg_constraint where conname = ${index}`,
})

const readIndexes = sql({
  name: 'test-read-indexes',
  row: rowOf<{ index: string; table: string }>(),
  text: 'select indexname as index, tablename as table from pg_indexes where schemaname = current_schema()',
})

// With fewer rows even a scan of a whole table stays below MAX_BLOCKS.
const isLarge = ROWS >= 100_000

test.runIf(isLarge)(
  'dropping an index that a GET route uses on a growing table is detected',
  { tags: 'variant', timeout: 120_000 },
  async () => {
    const owner = openDb(database.url, { max: 1, applicationName: 'test-owner' })
    const rows = await owner.rows(readIndexes)
    const tableOf = new Map(rows.map(({ index, table }) => [index, table]))
    const unnoticed = new Set<string>()
    const tried = new Set<string>()
    // The first call assigns the only free address, by whatever index.
    await measure('/api/users/deposit-address', token)
    for (const name of Object.keys(CALLS) as RouteName[]) {
      for (const { url, statements } of await measurePages(name)) {
        for (const statement of statements) {
          const plan = await explainStatement(api, statement)
          for (const index of plan.flatMap((each) => each['Index Name'] ?? [])) {
            const key = `${url} ${statement.name} ${index}`
            const isReplaceable = REPLACEABLE.has(index) || REPLACEABLE.has(`${statement.name} ${index}`)
            if (tried.has(key) || isReplaceable || !GROWING.has(tableOf.get(index)!)) continue
            tried.add(key)
            const isNoticed = await withoutIndex(owner, index, (tx) => isSlow(statement, tx))
            if (!isNoticed) unnoticed.add(key)
          }
        }
      }
    }
    await owner.end()
    expect([...unnoticed]).toEqual([])
    expect([...tried].join()).toContain('deposits-read-uncredited receipts_uncredited')
  },
)

test('the pages of a list have no gap and no repetition', async () => {
  const dated = [
    { url: '/api/parcels/EU-FR/sales', page: 'before', list: 'sales', at: 'at' },
    { url: CALLS.readUserListings!.url, page: 'before', list: 'listings', at: 'purchaseDate' },
    { url: '/api/users/withdrawals', page: 'before', list: 'withdrawals', at: 'requestedAt' },
    {
      url: '/api/workers/owned',
      page: 'after',
      list: 'workers',
      at: 'purchaseDate',
      unknown: 'kid-99999999',
    },
    {
      url: '/api/deposits',
      page: 'before',
      list: 'items',
      at: 'at',
      unknown: `${'z'.repeat(88)}.${'z'.repeat(44)}.sol`,
    },
  ]
  for (const { url, page, list, at, unknown = 'ffffffff-ffff-4fff-bfff-ffffffffffff' } of dated) {
    const first = (await measure(url, token)).body as Record<string, Record<string, string>[]>
    const second = (await measure(`${url}?${page}=${String(first.next)}`, token)).body as typeof first
    // Active listings are all on the first page and count for no page.
    const pages = [first, second].map((each) => each[list]!.filter(({ status }) => status !== 'active'))
    const instants = pages
      .flat()
      .map((each) => Date.parse(each[at]!))
      .toSorted()
    const steps = new Set(instants.slice(1).map((each, index) => each - instants[index]!))
    expect([url, instants.length, steps.size]).toEqual([url, 2 * pages[0]!.length, 1])
    expect((await measure(`${url}?${page}=${unknown}`, token)).body).toMatchObject({ next: null })
  }
})

test('one kind of a history, and some days of it, are read by key', async () => {
  for (const filter of ['kind=adjustment', 'kind=resale', 'kind=claim', 'from=2025-01-01&to=2025-12-31']) {
    const { statements, status } = await measure(`/api/users/history?${filter}`, token)
    expect([filter, status]).toEqual([filter, 200])
    expect((await Promise.all(statements.map((each) => findingsOf(each)))).flat(), filter).toEqual([])
  }
})

test(`an export of ${ROWS.toLocaleString('en')} rows keeps no memory`, async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const retained = (): number => {
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/api/users/history.csv`
  const { body } = await fetch(url, { headers: { 'x-auth-token': token } })
  const before = retained()
  let [lines, bytes, peak, measuredAt] = [0, 0, 0, 0]
  for await (const chunk of body!) {
    bytes += chunk.length
    for (const byte of chunk) if (byte === 10) lines += 1
    sentStatements = []
    if (bytes - measuredAt > 2_000_000) {
      measuredAt = bytes
      peak = Math.max(peak, retained() - before)
    }
  }
  expect(lines).toBe(ROWS + 1)
  expect(peak, `${peak} bytes retained of ${bytes}`).toBeLessThan(12_000_000)
}, 600_000)

test('/readyz reads one row', async () => {
  const { statements, status } = await measure('/readyz', null)
  expect(status).toBe(200)
  expect((await Promise.all(statements.map((each) => findingsOf(each)))).flat()).toEqual([])
})
