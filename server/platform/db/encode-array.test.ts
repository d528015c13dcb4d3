import fc from 'fast-check'
import { expect } from 'vitest'
import { sql } from './db.ts'
import { encodeArray } from './encode-array.ts'
import { test } from '#tests/support/test-world.ts'

const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n

// Postgres keeps no NUL in a text, and half of a surrogate pair is no character at all.
const text = fc.string({ unit: 'binary' }).map((each) => each.replaceAll('\0', '').toWellFormed())

const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  text,
  jsonb: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value).replaceAll('\\u0000', '')),
  bytea: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  uuid: fc.uuid(),
  bigint: fc.oneof(fc.bigInt(LEAST, MOST), fc.constantFrom(LEAST, MOST, 0n, -1n)),
  integer: fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 }),
  smallint: fc.integer({ min: -(2 ** 15) + 1, max: 2 ** 15 - 1 }),
  timestamptz: fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
}

for (const [type, value] of Object.entries(VALUES)) {
  // The other parameter is read from the text that Postgres itself writes of the first.
  const compare = sql(
    `test-arrays-${type}`,
    `select $1::${type}[] is not distinct from $2::text::${type}[] as same, cardinality($1::${type}[]) as many`,
  )
  test(`an array of ${type} says in binary what it says as text`, async ({ world }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(value, { freq: 8 }), { minLength: 1 }), async (values) => {
        expect(encodeArray(type, values)).not.toBeNull()
        const [row] = await world.db.rows<{ same: boolean; many: number }>(compare, [
          values,
          literalOf(values),
        ])
        expect(row).toEqual({ same: true, many: values.length })
      }),
      { numRuns: 60 },
    )
  })
}

/** The array as a literal of SQL (PostgreSQL, "Array Value Input"). */
function literalOf(values: readonly unknown[]): string {
  const quoted = (each: string) => `"${each.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  const each = values.map((value) => {
    if (value === null) return 'NULL'
    if (Buffer.isBuffer(value)) return quoted(`\\x${value.toString('hex')}`)
    return quoted(value instanceof Date ? value.toISOString() : String(value))
  })
  return `{${each.join(',')}}`
}

test('what only Postgres can judge is left to it', async ({ world }) => {
  const read = sql('test-arrays-judged', 'select $1::bigint[]::text as read')
  expect(encodeArray('bigint', [2n ** 63n])).toBeNull()
  await expect(world.db.rows(read, [[2n ** 63n]])).rejects.toMatchObject({ code: '22003' })
  expect(await world.db.rows(read, [['12', 13n]])).toEqual([{ read: '{12,13}' }])
  expect(await world.db.rows(read, [[]])).toEqual([{ read: '{}' }])
  expect(encodeArray('credit_class', ['earned'])).toBeNull()
})

test('an array larger than the room that there is comes through whole', async ({ world }) => {
  const read = sql(
    'test-arrays-large',
    'select cardinality($1::text[]) as many, md5($1::text[]::text) as md5',
  )
  const written = sql('test-arrays-large-text', 'select md5($1) as md5')
  const values = Array.from({ length: 3_000 }, (_, at) => `word${at}`.repeat(40))
  const [row] = await world.db.rows<{ many: number; md5: string }>(read, [values])
  const [asText] = await world.db.rows<{ md5: string }>(written, [`{${values.join(',')}}`])
  expect(row).toEqual({ many: values.length, ...asText })
})
