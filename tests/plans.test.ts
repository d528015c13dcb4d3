import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Address, Chain } from '#server/chain/port.ts'
import { checkDeposit } from '#server/deposits/check-deposit.ts'
import { dropVanished } from '#server/deposits/drop-vanished.ts'
import { readKnownAccounts } from '#server/deposits/foreign-tokens.ts'
import { readHistory } from '#server/account/read-history.ts'
import { EXPIRING_ROWS } from '#server/cleanup/expiring-rows.ts'
import { readFacts } from '#server/milestones/read-facts.ts'
import { countOpen } from '#server/withdrawals/count-open.ts'
import { readWithdrawalFacts } from '#server/signer/review/read-facts.ts'
import { type OpenWithdrawal, readPayable, readRequested } from '#server/withdrawals/open-withdrawals.ts'
import { claim, claimAll } from '#server/workers/claim.ts'
import { hire } from '#server/workers/hire.ts'
import { openDb, type Sql, sql, type Tx } from '#server/platform/db/db.ts'
import { explainGeneric, planOf, recordStatements, wholeReads } from '#tests/support/generic-plan.ts'
import { keyFor, test, type TestWorld } from '#tests/support/test-world.ts'
import { ANY_SIGNATURE } from '#tests/support/any-signature.ts'

// The statement inside `lock_accounts`, which plans do not show.
const lockAccounts = sql({
  name: 'test-lock-accounts',
  params: { wallets: 'text[]' },
  text: ({ wallets }) =>
    `select a.* from accounts a where a.wallet = any(${wallets}) order by a.wallet, a.class for update`,
})

/** Runs the hot actions once and returns every statement that they sent. */
async function hotStatements(world: TestWorld): Promise<Sql[]> {
  const sent = new Map<string, Sql>()
  const recorded = (tx: Tx) => recordStatements(tx, sent)
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
  return [...sent.values()]
}

const forgetKeys = sql({ name: 'test-forget-keys', text: 'delete from idempotency_keys' })
const analyze = sql({ name: 'test-analyze', text: 'vacuum analyze' })

test('no hot statement scans a growing table, even while the tables are small', async ({ world }) => {
  const statements = [...(await hotStatements(world)), lockAccounts]
  expect(statements.length).toBeGreaterThan(8)
  for (let player = 0; player < 20; player++)
    await world.hire(await world.player({ deposited: 50_000 }), 'kid')
  // Statistics say that the tables are small and that there are no keys: the worst moment to cache a generic plan.
  await world.db.rows(forgetKeys)
  await world.db.rows(analyze)
  const db = openDb(world.urlFor('api'), { max: 1, applicationName: 'test' })
  for (const statement of statements) {
    const lines = await planOf(db, statement)
    expect(wholeReads(lines), `${statement.name}:\n${lines.join('\n')}`).toEqual([])
  }
  await db.end()
})

test('a page of history sums an index of the entries without reading their rows', async ({ world }) => {
  const { wallet } = await world.player({ deposited: 100 })
  await world.db.rows(analyze)
  const sent = new Map<string, Sql>()
  const db = openDb(world.urlFor('api'), { max: 1, applicationName: 'test' })
  await readHistory({ ...db, rows: recordStatements(db, sent).rows }, { wallet, before: undefined, limit: 5 })
  const lines = await planOf(db, sent.get('history-page')!)
  expect(lines.join('\n')).toContain('Index Only Scan Backward using entries_pkey on entries')
  // The other player of a resale is found by the journal, one listing at a time.
  expect(lines.join('\n')).toContain('Index Scan using listings_journal_id_key on listings')
  await db.end()
})

const addResales = sql({
  name: 'test-add-resales',
  params: { resales: 'integer' },
  text: ({ resales }) =>
    `with sold as (
       insert into land (parcel_id, region, wallet, price_paid, journal_id, bought_at)
       select 'EU-' || n, 'EU', 'wallet ' || n % 7, 1, gen_random_uuid(), '2026-01-05' from generate_series(1, ${resales}) n
       returning parcel_id
     )
     insert into listings (id, parcel_id, seller, price, state, listed_at, buyer, journal_id, closed_at)
     select gen_random_uuid(), parcel_id, 'seller ' || right(parcel_id, 1), 1000000, 'sold', '2026-01-05', 'buyer',
       gen_random_uuid(), '2026-01-05' from sold`,
})
const forgetResales = sql({ name: 'test-forget-resales', text: 'truncate land, listings' })

test('the facts of milestones are read by wallet, with many workers and resales and with none', async ({
  world,
}) => {
  for (const resales of [0, 3_000]) {
    await world.db.rows(addResales, { resales })
    await world.db.rows(analyze)
    const sent = new Map<string, Sql>()
    const db = openDb(world.urlFor('api'), { max: 1, applicationName: 'test' })
    await readFacts({ ...db, rows: recordStatements(db, sent).rows }, ['wallet 1'])
    const workers = (await planOf(db, sent.get('milestones-workers')!)).join('\n')
    expect(workers).toMatch(/Index Scan using workers_\w+ on workers.*\n\s+Index Cond: \(wallet = ANY/)
    const land = (await planOf(db, sent.get('milestones-land')!)).join('\n')
    const reads = land.match(/using listings_sold_parcels .*\n\s+Index Cond: \(+seller = asked.*/g)
    expect(reads).toHaveLength(2)
    expect(reads![1]).toContain('parcel_id > p.parcel_id')
    await db.end()
  }
  await world.db.rows(forgetResales)
})

const addReceipts = sql({
  name: 'test-add-receipts',
  params: { receipts: 'integer' },
  text: ({ receipts }) =>
    `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, why, seen_at)
     select 'to ' || n, 'account ' || n, 'wallet ' || n % 7, 'other_token', 'a mint', 1, 1, 'unclaimed', 'other_token', now()
     from generate_series(1, ${receipts}) n`,
})

test('pending and foreign receipts are read by their own indexes, with many receipts and with none', async ({
  world,
}) => {
  const { wallet } = await world.player({ deposited: 100 })
  const address = { wallet, owner: 'owner' as Address, tokenAccount: 'tokens' as Address }
  const chain = {} as Chain
  for (const receipts of [0, 3_000]) {
    await world.db.rows(addReceipts, { receipts })
    await world.db.rows(analyze)
    const sent = new Map<string, Sql>()
    const db = openDb(world.urlFor('api'), { max: 1, applicationName: 'test' })
    const recorded = { ...db, rows: recordStatements(db, sent).rows }
    await dropVanished({ db: recorded, chain }, { address, seen: new Set(), finalSlot: 0n })
    await checkDeposit({ db: recorded, chain, clock: world.clock }, wallet)
    await readKnownAccounts(recorded, { after: '', limit: 1_000 })
    for (const [name, index] of [
      ['deposits-read-pending', 'receipts_pending'],
      ['deposits-sum-pending', 'receipts_pending'],
      ['foreign-read-known', 'receipts_foreign'],
    ] as const) {
      const lines = await planOf(db, sent.get(name)!)
      const failureMessage = `${name} among ${receipts}:\n${lines.join('\n')}`
      expect(wholeReads(lines), failureMessage).toEqual([])
      expect(lines.join('\n'), failureMessage).toContain(index)
    }
    await db.end()
  }
})

const addWithdrawals = sql({
  name: 'test-add-withdrawals',
  params: { paid: 'integer' },
  text: ({ paid }) =>
    `insert into withdrawals (id, wallet, deposited, earned, hold_id, state, day, requested_at, nonce, wallet_signature)
     select gen_random_uuid(), 'wallet ' || n % 7, 1, 0, gen_random_uuid(), 'finalized', '2026-01-05', '2026-01-05',
       ${ANY_SIGNATURE}
     from generate_series(1, ${paid}) n`,
})
const forgetWithdrawals = sql({ name: 'test-forget-withdrawals', text: 'delete from withdrawals' })

test('open withdrawals are read by their own indexes, regardless of the number of paid ones', async ({
  world,
}) => {
  for (const paid of [0, 3_000]) {
    await world.db.rows(addWithdrawals, { paid })
    await world.db.rows(analyze)
    const sent = new Map<string, Sql>()
    const db = openDb(world.urlFor('signer'), { max: 1, applicationName: 'test' })
    const recorded = { ...db, rows: recordStatements(db, sent).rows }
    await readRequested(recorded)
    await readPayable(recorded, world.clock.now())
    await countOpen(recorded, ['wallet 1'])
    for (const [name, index] of [
      ['signer-read-requested', 'withdrawals_open'],
      ['signer-read-untried', 'withdrawals_open'],
      ['signer-read-retried', 'withdrawals_open'],
      ['withdrawals-count-open', 'withdrawals_open_of_wallet'],
    ] as const) {
      const lines = await planOf(db, sent.get(name)!)
      expect(lines.join('\n'), `${name} among ${paid}`).toMatch(new RegExp(`(using|on) ${index} `))
      expect(lines.join('\n'), `${name} among ${paid}`).not.toMatch(/Filter|Seq/)
    }
    await db.end()
  }
  await world.db.rows(forgetWithdrawals)
})

test('expired rows are found by an index on their age, with many rows and with none', async ({ world }) => {
  const addKeys = sql({
    name: 'test-add-keys',
    params: { keys: 'integer' },
    text: ({ keys }) =>
      `insert into idempotency_keys (wallet, route, key, body_hash, answer, at)
       select 'w ' || n, '/r', 'k', '', '{}', now() from generate_series(1, ${keys}) n`,
  })
  const db = openDb(world.urlFor('api'), { max: 1, applicationName: 'test' })
  for (const keys of [0, 3_000]) {
    await world.db.rows(addKeys, { keys })
    await world.db.rows(analyze)
    for (const { remove } of EXPIRING_ROWS) {
      const statement = { ...remove, name: `${remove.name}-${keys}` }
      const failureMessage = (await planOf(db, statement)).join('\n')
      expect(failureMessage, failureMessage).not.toMatch(/Seq Scan on (?!gone)/)
      expect(failureMessage, failureMessage).toMatch(/Index Scan using \w+ on/)
    }
  }
  await db.end()
})

// Most players have cancelled little, so that Postgres expects few releasing journals of any wallet.
const addCancellations = sql({
  name: 'test-add-cancellations',
  params: { wallets: 'integer' },
  text: ({ wallets }) =>
    `insert into journals (id, wallet, kind, at, detail)
     select gen_random_uuid(), 'wallet ' || n, kind, '2026-01-05', jsonb_build_object('withdrawalId', gen_random_uuid())
     from generate_series(1, ${wallets}) n, unnest('{claim,cancellation}'::move_kind[]) kind`,
})
const analyzeJournals = sql({ name: 'test-analyze-journals', text: 'analyze journals' })

// The settings of the signer's login. Nobody can delete journals, so the rows stay in a transaction of the owner.
const planAsSigner = sql({
  name: 'test-plan-as-signer',
  text: `select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
     set_config('enable_mergejoin', 'off', true), set_config('enable_hashjoin', 'off', true)`,
})

test('what a wallet has cancelled within a day is found by its time, however much it has ever cancelled', async ({
  world,
}) => {
  const withdrawal = { id: randomUUID(), wallet: 'wallet 1', deposited: cotton(1), earned: cotton(0) }
  const lines: string[] = []
  const undone = new Error('undone')
  const planning = world.db.transaction(async (tx) => {
    await tx.rows(addCancellations, { wallets: 20_000 })
    await tx.rows(analyzeJournals)
    await tx.rows(planAsSigner)
    const sent = new Map<string, Sql>()
    const of = { cluster: 'mainnet', now: world.clock.now() } as const
    const reviewed = { ...withdrawal, day: '2026-01-05' } as OpenWithdrawal
    await readWithdrawalFacts(recordStatements(tx, sent), reviewed, of)
    lines.push(...(await explainGeneric<string>(tx, sent.get('signer-read-facts')!, 'format text')))
    throw undone
  })
  await expect(planning).rejects.toBe(undone)
  const plan = lines.join('\n')
  expect(plan).not.toContain('journals_releasing')
  expect(plan).toMatch(
    /using journals_by_wallet .*\n\s+Index Cond: .*wallet = .* AND .*kind = .* AND .*id > .*/,
  )
})
