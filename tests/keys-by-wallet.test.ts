import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { rowOf, type Sql, sql } from '#server/platform/db/db.ts'
import { explainGeneric } from '#tests/support/generic-plan.ts'
import { test } from '#tests/support/test-world.ts'
import { type PlanNode, readWallets } from '#tests/support/wallets-in-plans.ts'

const SERVER = join(import.meta.dirname, '../server')

/** Every statement that the imported modules of the server declare. */
const declared = vi.hoisted(() => new Map<string, Sql>())

vi.mock('#server/platform/db/sql.ts', async (load) => {
  const { recordDeclared } = await import('#tests/support/record-declared.ts')
  return recordDeclared(await load(), declared)
})

// Tables whose rows belong to one wallet and are found by it. A database that is spread over several machines by wallet
// (docs/scale.md) keeps the rows of a wallet together. Its unique keys must begin with the wallet.
const BY_WALLET = [
  'accounts',
  'checked_balances',
  'entries',
  'frozen_wallets',
  'idempotency_keys',
  'milestones',
  'users',
  'withdrawal_locks',
  'workers',
]

// The same, but found by another key first. These keys must change before the database is spread.
const OF_A_WALLET = [
  'deposit_addresses', // index: created before it belongs to anybody
  'journals', // id: also those of the game itself, which has no wallet
  'receipts', // signature: a transfer to an address of nobody has no wallet
  'reward_day_wallets', // day: what one wallet got on a day
  'sessions', // token: the wallet is not known yet
  'withdrawals', // id: the signer and the operator name one by it
]

// Everybody's: announcements, supply, land and its market, the budget of rewards, sums, and the log of operators.
const SHARED = [
  'announcements',
  'continents',
  'credit_totals',
  'hourly_totals',
  'land',
  'listings',
  'operator_log',
  'reward_bounds',
  'reward_days',
  'supply_history',
  'worker_types',
]

// What the roles need for their work: small, or deleted after some days, or one row for each payout.
const OF_THE_GAME = [
  'alerts',
  'console_sessions',
  'lanes',
  'login_failures',
  'login_key',
  'nonces',
  'operator_acts',
  'payout_replacements',
  'payouts',
  'prepared_deposits',
  'restored_payouts',
  'role_terms',
  'schema_migrations',
  'settings',
  'solvency',
  'sweeps',
  'token_account_totals',
  'withdrawal_challenges',
]

const readKeys = sql({
  name: 'test-read-keys',
  row: rowOf<{ name: string; key: string[]; columns: string[] }>(),
  text: `select c.relname as name,
     array(select a.attname::text from unnest(i.indkey[0:i.indnkeyatts - 1]) with ordinality as k (number, at)
       join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number order by k.at) as key,
     array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0) as columns
   from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_index i on i.indrelid = c.oid and i.indisprimary
   where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by c.relname`,
})

test('every table is by wallet or has a reason, and keys of tables by wallet begin with it', async ({
  world,
}) => {
  const tables = await world.db.rows(readKeys)
  expect(tables.map(({ name }) => name)).toEqual(
    [...BY_WALLET, ...OF_A_WALLET, ...SHARED, ...OF_THE_GAME].toSorted(),
  )
  const keys = Object.fromEntries(tables.map(({ name, key }) => [name, key]))
  for (const name of BY_WALLET) expect([name, keys[name]![0]]).toEqual([name, 'wallet'])
  const withWallet = tables.filter(({ columns }) => columns.includes('wallet')).map(({ name }) => name)
  expect(withWallet).toEqual(expect.arrayContaining(OF_A_WALLET))
})

// Statements that read rows of several wallets, or join them on something else, each with its reason. Everything else that
// reads one of these tables names its wallet, and joins two of them on it.
const NOT_BY_WALLET: Record<string, readonly string[]> = {
  'a resale has one journal, of the buyer, which the seller reads too': [
    'history-page',
    'history-page-of-kind',
    'console-journals-of-wallet',
    'console-journals-of-wallet-and-kind',
  ],
  'the limit of an hour is for all wallets together': ['signer-read-facts'],
  'a token or an address is given, and its wallet is found': [
    'sessions-end-expired',
    'sessions-touch',
    'deposits-take-address',
  ],
  'rows are found by wallet, and changed by their token or their place in the table': [
    'deposits-mark-reported',
    'sessions-end-of',
  ],
  'an audit, a sum or a list of operators is over all wallets': [
    'audit-credit-totals',
    'audit-deposits',
    'audit-held',
    'audit-owners',
    'audit-read-addresses',
    'audit-read-treasury',
    'audit-supply',
    'console-journals',
    'console-journals-claims',
    'console-journals-of-kind',
    'console-read-live',
    'console-withdrawals-by-state',
    'freeze-read-all',
    'hours-count-journals',
    'hours-read-newest',
    'hours-sum-others',
    'ledger-sum-world-accounts',
    'operator-list-receipts',
    'operator-list-withdrawals',
    'operator-sum-credit',
    'monitoring-read-waiting',
    'solvency-read-ahead',
    'solvency-read-books',
    'top-up-read-traffic',
    'verify-chain',
    'verify-journals',
    'verify-zero-sum',
  ],
  'a job of the watcher, the signer or the cleanup takes what is due, of any wallet': [
    'addresses-count',
    'cleanup-ended-sessions',
    'cleanup-keys',
    'cleanup-old-sessions',
    'signer-explain-untried',
    'signer-read-retried',
    'sweeps-read-candidates',
    'watch-read-free',
  ],
}

/** Found by another key where the wallet is not known. */
const KEYS_OF_A_WALLET = new Set(OF_A_WALLET.filter((name) => name !== 'journals'))

async function importServer(): Promise<Sql[]> {
  const modules = globSync('**/*.ts', { cwd: SERVER }).filter(
    (name) => !name.endsWith('.test.ts') && name !== 'main.ts',
  )
  for (const name of modules) await import(join(SERVER, name))
  return [...declared.values()].filter(({ name }) => !name.startsWith('test-'))
}

test('tables by wallet are read by wallet and joined on the wallet, or have a reason', async ({ world }) => {
  const statements = (await importServer()).filter(({ text }) =>
    /^\s*(select|insert|update|delete|with)\b/i.test(text),
  )
  expect(statements.length).toBeGreaterThan(250)
  const tables = new Set([...BY_WALLET, ...OF_A_WALLET])
  const found = await world.db.transaction(async (tx) => {
    await tx.rows(sql({ name: 'test-plan-generic', text: 'set local plan_cache_mode = force_generic_plan' }))
    const names: string[] = []
    for (const statement of statements) {
      const [plan] = await explainGeneric<[{ Plan: PlanNode }]>(tx, statement, 'verbose, format json')
      const reads = readWallets(plan![0].Plan, tables)
      const isFound = reads.every(({ table, wallet }) => wallet !== null || KEYS_OF_A_WALLET.has(table))
      const isJoined = reads.length < 2 || new Set(reads.map(({ wallet }) => wallet ?? {})).size === 1
      if (!isFound || !isJoined) names.push(statement.name)
    }
    return names
  })
  expect(found.toSorted()).toEqual(Object.values(NOT_BY_WALLET).flat().toSorted())
}, 120_000)
