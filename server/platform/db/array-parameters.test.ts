import fc from 'fast-check'
import { expect } from 'vitest'
import { rowOf, sql } from './db.ts'
import { test } from '#tests/support/test-world.ts'

const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n

// Postgres accepts neither NUL nor half of a surrogate pair in text.
const text = fc.string({ unit: 'binary' }).map((each) => each.replaceAll('\0', '').toWellFormed())

const VALUES = {
  text,
  jsonb: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value).replaceAll('\\u0000', '')),
  bytea: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  uuid: fc.uuid(),
  bigint: fc.oneof(fc.bigInt(LEAST, MOST), fc.constantFrom(LEAST, MOST, 0n, -1n)),
  integer: fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 }),
  smallint: fc.integer({ min: -(2 ** 15) + 1, max: 2 ** 15 - 1 }),
  timestamptz: fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
}

for (const [type, value] of Object.entries(VALUES) as [keyof typeof VALUES, fc.Arbitrary<unknown>][]) {
  const compare = sql({
    name: `test-arrays-${type}`,
    params: { values: `${type}[]`, literal: 'text' },
    row: rowOf<{ same: boolean; count: number }>(),
    text: (of) =>
      `select ${of.values} is not distinct from ${of.literal}::${type}[] as same, cardinality(${of.values}) as count`,
  })
  test(`an array of ${type} arrives with its values`, async ({ world }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(value, { freq: 8 }), { minLength: 1 }), async (values) => {
        const params = { values: values as never, literal: literalOf(values) }
        expect(await world.db.rows(compare, params)).toEqual([{ same: true, count: values.length }])
      }),
      { numRuns: 60 },
    )
  })
}

/** The array as an SQL literal (PostgreSQL, "Array Value Input"). */
function literalOf(values: readonly unknown[]): string {
  const quoted = (each: string) => `"${each.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  const each = values.map((value) => {
    if (value === null) return 'NULL'
    if (Buffer.isBuffer(value)) return quoted(`\\x${value.toString('hex')}`)
    return quoted(value instanceof Date ? value.toISOString() : String(value))
  })
  return `{${each.join(',')}}`
}

test('Postgres decides whether the values of an array are valid', async ({ world }) => {
  const read = sql({
    name: 'test-arrays-unencoded',
    params: { values: 'bigint[]' },
    row: rowOf<{ read: string }>(),
    text: ({ values }) => `select ${values}::text as read`,
  })
  await expect(world.db.rows(read, { values: [2n ** 63n] })).rejects.toMatchObject({ code: '22003' })
  const mixed = ['12', 13n] as unknown as bigint[]
  expect(await world.db.rows(read, { values: mixed })).toEqual([{ read: '{12,13}' }])
  expect(await world.db.rows(read, { values: [] })).toEqual([{ read: '{}' }])
})
