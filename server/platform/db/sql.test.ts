import { expect, expectTypeOf } from 'vitest'
import { test } from '#tests/support/test-world.ts'
import { rowOf, rowset, sql } from './db.ts'
import { ENUMS } from './sql.ts'

test('each parameter is a placeholder with its type, in the order of the declaration', () => {
  const statement = sql({
    name: 'test-sql-text',
    params: {
      paid: rowset({ wallet: 'text', kind: 'move_kind', amount: 'bigint | null' }),
      at: 'timestamptz',
      wallets: 'text[] | null',
    },
    text: ({ paid, at, wallets }) => `select ${at} from ${paid} where ${wallets} is null or ${at} > now()`,
  })
  expect(statement.text).toBe(
    'select $4::timestamptz from unnest($1::text[], $2::move_kind[], $3::bigint[]) as paid (wallet, kind, amount) ' +
      'where $5::text[] is null or $4::timestamptz > now()',
  )
})

test('every type of parameter arrives as it was sent', async ({ world }) => {
  type Row = {
    text: string
    uuid: string
    boolean: boolean
    smallint: number
    integer: number
    bigint: bigint
    at: Date
    date: string
    bytea: Buffer
    json: object
    missing: bigint | null
    days: string[]
  }
  const echo = sql({
    name: 'test-sql-echo',
    params: {
      text: 'text',
      uuid: 'uuid',
      boolean: 'boolean',
      smallint: 'smallint',
      integer: 'integer',
      bigint: 'bigint',
      at: 'timestamptz',
      date: 'date',
      bytea: 'bytea',
      json: 'jsonb',
      missing: 'bigint | null',
      days: 'date[]',
    },
    row: rowOf<Row>(),
    text: (of) =>
      `select ${of.text} as text, ${of.uuid} as uuid, ${of.boolean} as boolean, ${of.smallint} as smallint,
         ${of.integer} as integer, ${of.bigint} as bigint, ${of.at} as at, ${of.date}::text as date,
         ${of.bytea} as bytea, ${of.json} as json, ${of.missing} as missing, ${of.days}::text[] as days`,
  })
  const sent = {
    text: `'; drop table users`,
    uuid: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
    boolean: true,
    smallint: -5,
    integer: 2 ** 31 - 1,
    bigint: 2n ** 63n - 1n,
    at: new Date('2026-01-05T12:00:00.123Z'),
    date: '2026-01-05',
    bytea: Buffer.from([0, 1, 255]),
    json: { a: [1, 'two', null] },
    missing: null,
    days: ['2026-01-05', '2024-02-29'],
  }
  expect(await world.db.rows(echo, sent)).toEqual([sent])
})

const readRows = sql({
  name: 'test-sql-rows',
  params: { paid: rowset({ wallet: 'text', class: 'credit_class', amount: 'bigint | null' }) },
  row: rowOf<{ wallet: string; class: string; amount: bigint | null }>(),
  text: ({ paid }) => `select wallet, class::text, amount from ${paid}`,
})

test('a rowset arrives row by row, whatever its size', async ({ world }) => {
  const paid = [
    { wallet: 'ana', class: 'earned', amount: 5n },
    { wallet: 'bob "the" {picker}', class: 'deposited', amount: null },
  ] as const
  expect(await world.db.rows(readRows, { paid })).toEqual(paid)
  expect(await world.db.rows(readRows, { paid: [] })).toEqual([])
})

test('a numeric parameter carries whole numbers larger than a bigint column', async ({ world }) => {
  const echo = sql({
    name: 'test-sql-numeric',
    params: { alone: 'numeric', many: rowset({ amount: 'numeric' }) },
    row: rowOf<{ alone: string; amount: string }>(),
    text: ({ alone, many }) => `select ${alone}::text as alone, amount::text from ${many}`,
  })
  const large = 2n ** 64n
  const rows = await world.db.rows(echo, { alone: large, many: [{ amount: large + 1n }, { amount: -large }] })
  expect(rows).toEqual([
    { alone: '18446744073709551616', amount: '18446744073709551617' },
    { alone: '18446744073709551616', amount: '-18446744073709551616' },
  ])
})

test('a statement that is sent without waiting takes its turn and fails the commit', async ({ world }) => {
  const put = sql({
    name: 'test-sql-put',
    params: { name: 'text' },
    text: ({ name }) => `insert into settings (name, value) values (${name}, '1')`,
  })
  const read = sql({
    name: 'test-sql-read',
    params: { prefix: 'text' },
    row: rowOf<{ name: string }>(),
    text: ({ prefix }) => `select name from settings where name like ${prefix} || '%' order by name`,
  })
  const seen = await world.db.transaction((tx) => {
    tx.send(put, { name: 'sql-sent' })
    return tx.rows(read, { prefix: 'sql-' })
  })
  expect(seen).toEqual([{ name: 'sql-sent' }])
  const twice = world.db.transaction(async (tx) => {
    tx.send(put, { name: 'sql-new' })
    tx.send(put, { name: 'sql-sent' })
  })
  await expect(twice).rejects.toMatchObject({ code: '23505' })
  expect(await world.db.rows(read, { prefix: 'sql-' })).toEqual([{ name: 'sql-sent' }])
})

test('the compiler refuses a wrong parameter and knows the rows', async ({ world }) => {
  const read = sql({
    name: 'test-sql-typed',
    params: { wallets: 'text[]', least: 'bigint | null', kind: 'move_kind' },
    row: rowOf<{ wallet: string }>(),
    text: ({ wallets, least, kind }) =>
      `select wallet from unnest(${wallets}) as wallet where ${least} is null and ${kind} is not null`,
  })
  const rows = await world.db.rows(read, { wallets: ['ana'], least: null, kind: 'claim' })
  expectTypeOf(rows).toEqualTypeOf<{ wallet: string }[]>()
  expect(rows).toEqual([{ wallet: 'ana' }])
  const untyped = sql({ name: 'test-sql-no-rows', text: 'select 1 as one' })
  expectTypeOf(await world.db.rows(untyped)).toEqualTypeOf<unknown[]>()

  // Compiled, never called.
  const wrong = () => {
    // @ts-expect-error The parameter is named `wallets`.
    void world.db.rows(read, { wallet: ['ana'], least: null, kind: 'claim' })
    // @ts-expect-error There is no parameter `most`.
    void world.db.rows(read, { wallets: ['ana'], least: null, kind: 'claim', most: null })
    // @ts-expect-error `least` is missing.
    void world.db.rows(read, { wallets: ['ana'], kind: 'claim' })
    // @ts-expect-error A bigint is not a number.
    void world.db.rows(read, { wallets: ['ana'], least: 5, kind: 'claim' })
    // @ts-expect-error An array cannot be null unless it is declared so.
    void world.db.rows(read, { wallets: null, least: null, kind: 'claim' })
    // @ts-expect-error No such kind.
    void world.db.rows(read, { wallets: ['ana'], least: null, kind: 'gift' })
    // @ts-expect-error Parameters are named.
    void world.db.rows(read, [['ana'], null, 'claim'])
    // @ts-expect-error There are parameters.
    void world.db.rows(read)
    // @ts-expect-error There are no parameters.
    void world.db.rows(untyped, { wallets: ['ana'] })
    // @ts-expect-error The column is named `amount`.
    void world.db.rows(readRows, { paid: [{ wallet: 'ana', class: 'earned', sum: 5n }] })
    // @ts-expect-error A column of the wrong type.
    void world.db.rows(readRows, { paid: [{ wallet: 'ana', class: 'earned', amount: '5' }] })
    // @ts-expect-error A single statement outside a transaction has to be awaited.
    world.db.send(untyped)
    // @ts-expect-error A statement declares its parameters.
    sql('test-sql-untyped', 'select $1')
    // @ts-expect-error The rows are typed by the statement.
    void world.db.rows<{ wallet: string }>(read, { wallets: ['ana'], least: null, kind: 'claim' })
    // @ts-expect-error No such type.
    sql({ name: 'test-sql-unknown', params: { at: 'timestamp' }, text: ({ at }) => `select ${at}` })
    // @ts-expect-error No such placeholder.
    sql({ name: 'test-sql-other', params: { at: 'date' }, text: ({ day }) => `select ${day}` })
  }
  expect(wrong).toBeTypeOf('function')
})

test('the enum types of a parameter have the values that the database has', async ({ world }) => {
  const read = sql({
    name: 'test-sql-enums',
    row: rowOf<{ name: string; labels: string[] }>(),
    text: `select t.typname as name, array_agg(e.enumlabel::text order by e.enumsortorder) as labels
           from pg_type t join pg_enum e on e.enumtypid = t.oid group by 1 order by 1`,
  })
  const declared = Object.entries(ENUMS).map(([name, labels]) => ({ name, labels }))
  expect(await world.db.rows(read)).toEqual(declared)
})
