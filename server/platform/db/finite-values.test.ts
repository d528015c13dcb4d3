import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { type Db, openDb } from './db.ts'
import { ANY_SIGNATURE } from '#tests/support/any-signature.ts'

let database: FreshDatabase
let owner: Db
let readonly: Db

beforeAll(async () => {
  database = await freshDatabase()
  owner = openDb(database.url, { max: 2, applicationName: 'test-owner' })
  readonly = openDb(database.urlFor('readonly'), { max: 1, applicationName: 'test-readonly' })
})

afterAll(async () => {
  await Promise.all([owner.end(), readonly.end()])
  await database.drop()
})

type Column = { name: string; column: string; type: string; laws: string[] }

/** Every column that a login of a role can write and whose type permits infinity or NaN. */
function unboundedColumns(): Promise<Column[]> {
  return runQuery<Column>(
    owner,
    `select c.relname as name, a.attname as column, t.typname as type,
       array(select pg_get_constraintdef(k.oid) from pg_constraint k
             where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any(k.conkey)) as laws
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     join pg_type t on t.oid = a.atttypid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p')
       and t.typname in ('date', 'timestamp', 'timestamptz', 'numeric', 'float4', 'float8', 'interval')
       and exists (
         select from unnest(array['api', 'watcher', 'signer', 'console']) as login
         where has_column_privilege(login, c.oid, a.attnum, 'INSERT') or has_column_privilege(login, c.oid, a.attnum, 'UPDATE')
       )
     order by 1, 2`,
  )
}

const boundsOf = ({ column, type }: Column): RegExp =>
  type === 'numeric'
    ? new RegExp(`\\(${column} < 'NaN'`)
    : new RegExp(`\\(${column} >= [^)]*.*\\(${column} <= `)

// Rows from before the trigger may be restored from a backup, which a check would refuse.
const BY_TRIGGER = ['operator_log.at', 'settings.at']

test('no login of a role can write an infinite date or an amount that is not a number', async () => {
  const columns = await unboundedColumns()
  expect(columns.length).toBeGreaterThan(20)
  const unbounded = columns.filter((column) => !column.laws.some((law) => boundsOf(column).test(law)))
  expect(unbounded.map(({ name, column }) => `${name}.${column}`)).toEqual(BY_TRIGGER)
})

test.each(['infinity', '-infinity', '290000-01-01', '0044-03-15 BC'])(
  'a withdrawal of the day %s is refused by the database',
  async (day) => {
    const add = `insert into withdrawals (id, wallet, deposited, earned, hold_id, day, requested_at, nonce, wallet_signature)
       values (gen_random_uuid(), 'w', 1, 1, gen_random_uuid(), $1::date, $2::timestamptz, ${ANY_SIGNATURE})`
    await expect(runQuery(owner, add, [day, '2026-01-05'])).rejects.toThrow('withdrawals_day_check')
    await expect(runQuery(owner, add, ['2026-01-05', day])).rejects.toThrow('withdrawals_requested_at_check')
  },
)

test('the readonly login cannot read signed transactions', async () => {
  for (const name of ['payouts', 'payout_replacements', 'sweeps']) {
    await expect(runQuery(readonly, `select wire from ${name}`)).rejects.toThrow('permission denied')
    expect(await runQuery(readonly, `select signature from ${name}`)).toEqual([])
  }
})

test('the readonly login reads the figures of a year as the guide for operators says', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/operate/database.md'), 'utf8')
  const [, statement = ''] = / -c "([^"]+)"\n/.exec(guide) ?? []
  expect(statement).toContain('from withdrawals')
  expect(await runQuery(readonly, statement)).toEqual([])
})
