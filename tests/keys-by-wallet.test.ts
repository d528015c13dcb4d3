import { expect } from 'vitest'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { test } from '#tests/support/test-world.ts'

// Tables whose rows belong to one wallet and are found by it. A database that is spread over several machines by wallet
// (docs/scale.md) keeps the rows of a wallet together. Its unique keys must begin with the wallet.
const BY_WALLET = [
  'accounts',
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
