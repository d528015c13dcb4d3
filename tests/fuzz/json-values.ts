import * as fc from 'fast-check'
import { toJSONSchema, type ZodMiniType } from 'zod/mini'

/** The parts of a JSON schema that zod writes for the contract. */
export type Schema = {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  pattern?: string
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
}

/** Values that exist in the fuzzed game, by the name of their field: wallets, workers, listings. */
export type Known = Readonly<Record<string, readonly unknown[]>>

/** The JSON schema of what a route reads. A check in code has none and is any value. */
export const schemaOf = (schema: ZodMiniType): Schema =>
  toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema

const LONGEST_STRING = 2_000

/** Values of a schema: where the game has some of that name, mostly those. */
export function valueOf(schema: Schema, known: Known, name = ''): fc.Arbitrary<unknown> {
  const own = declaredValue(schema, known)
  const existing = Object.hasOwn(known, name) ? known[name]! : []
  if (existing.length === 0) return own
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...existing) }, { weight: 1, arbitrary: own })
}

function declaredValue(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const { minimum: min = -1e15, maximum: max = 1e15, maxLength = 100 } = schema
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const either = schema.anyOf ?? schema.oneOf
  if (either) return fc.oneof(...either.map((each) => valueOf(each, known)))
  switch (schema.type) {
    case 'string':
      return schema.pattern
        ? fc.stringMatching(new RegExp(schema.pattern))
        : fc.string({ maxLength: Math.min(maxLength, LONGEST_STRING) })
    case 'integer':
      return fc.oneof(fc.integer({ min: Math.max(min, -1e15), max: Math.min(max, 1e15) }), edgesOf(min, max))
    case 'number':
      return fc.oneof(
        fc.double({ min, max, noNaN: true }),
        fc.integer({ min: 1, max: 2_000 }),
        edgesOf(min, max),
      )
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, known), { maxLength: 5 })
    case 'object':
      return recordOf(schema, known)
    default:
      return fc.jsonValue({ maxDepth: 3 })
  }
}

function recordOf({ properties = {}, required = [] }: Schema, known: Known): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, each]) => [name, valueOf(each, known, name)])
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [...required],
    noNullPrototype: true,
  })
}

const edgesOf = (min: number, max: number): fc.Arbitrary<number> =>
  fc.constantFrom(min - 1, min, min + 1, max - 1, max, max + 1, (min + max) / 2, 0.000_000_1, 0.1 + 0.2)

/** Keys that exist on every object, and others that no schema declares. */
const ODD_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  ' ',
  '\u0000',
  'é',
]

const ODD_TEXTS = [
  ...ODD_KEYS,
  'null',
  'undefined',
  'NaN',
  '-Infinity',
  'infinity',
  '1e400',
  '0x10',
  '-1',
  "' or '1'='1",
  '"; drop table accounts; --',
  '$1',
  '%',
  '%00',
  '%zz',
  '../../../../etc/passwd',
  '..\\..\\',
  '{{7*7}}',
  '${7*7}',
  '<script>alert(1)</script>',
  '\r\nset-cookie: a=b',
  '\ud800',
  '\ufeff',
  '\u202e',
  'İ',
  'ﷺ'.repeat(40),
  '🌾'.repeat(200),
  '2026-02-30',
  '-271821-04-20T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '1'.repeat(300),
  'a'.repeat(17_000),
]

// Half a surrogate pair is one, too.
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))

/** Values that a careful caller never sends. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...ODD_TEXTS),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { '': {} }, { toString: null }),
  fc.constantFrom<unknown>(
    0,
    -0,
    1,
    -1,
    0.5,
    2 ** 31,
    2 ** 32,
    2 ** 33,
    2 ** 53,
    -(2 ** 53),
    2 ** 63,
    2 ** 64,
  ),
  fc.constantFrom<unknown>(1e21, 1e308, -1e308, 5e-324, Number.MAX_SAFE_INTEGER, 1e-7, 1.000_000_1),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: anyCharacter, maxLength: 200 }),
)

export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ODD_TEXTS),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({ maxLength: 300 }),
)

const oddKey = fc.oneof(fc.constantFrom(...ODD_KEYS), fc.string({ maxLength: 12 }))

/** JSON text of a value, with one thing wrong in the value. */
function damageValue(value: unknown): fc.Arbitrary<string> {
  const fields =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  const write = (entries: readonly (readonly [string, unknown])[]): string =>
    `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each) ?? 'null'}`).join()}}`
  const at = fc.nat({ max: Math.max(0, fields.length - 1) })
  return fc.oneof(
    // A field is missing, has another value, or occurs twice.
    at.map((index) => write(fields.toSpliced(index, 1))),
    fc
      .tuple(at, oddValue)
      .map(([index, odd]) =>
        write(fields.map(([name, each], place) => [name, place === index ? odd : each])),
      ),
    fc.tuple(at, oddValue).map(([index, odd]) => write([...fields, [fields[index]?.[0] ?? 'a', odd]])),
    // Fields that nobody declared.
    fc.tuple(oddKey, oddValue).map((added) => write([...fields, added])),
    fc.tuple(oddKey, oddValue).map((added) => write([added, ...fields])),
    fc.constant(write([['__proto__', Object.fromEntries(fields)]])),
    // The value in another place.
    fc.constant(`[${JSON.stringify(value)}]`),
    fc.constant(JSON.stringify(JSON.stringify(value)) ?? ''),
    oddValue.map((odd) => JSON.stringify(odd) ?? 'null'),
  )
}

/** Text that is not the JSON that it was. */
function damageText(text: string): fc.Arbitrary<string> {
  const place = fc.nat({ max: text.length })
  return fc.oneof(
    place.map((at) => text.slice(0, at)),
    fc.tuple(place, oddText).map(([at, odd]) => text.slice(0, at) + odd + text.slice(at)),
    fc.constantFrom('', ' ', '\ufeff', '\u0000', '{}', 'null', '// a').map((added) => text + added),
    fc.constantFrom('\ufeff', '\u00a0', '\n\n', ')]}\u0027,').map((added) => added + text),
    fc.nat({ max: 3_000 }).map((deep) => '['.repeat(deep) + text + ']'.repeat(deep)),
    fc
      .constantFrom('1e999', '-0', '01', '.5', 'NaN', '0x1F', '9007199254740993', '1'.repeat(400))
      .map((odd) => text.replace(/:("[^"]*"|-?[\d.e+]+)/, `:${odd}`)),
    fc
      .integer({ min: 15_000, max: 40_000 })
      .map((size) => text.replace(/\}$/, `,"a":"${'a'.repeat(size)}"}`)),
    fc.integer({ min: 100, max: 17_000 }).map((size) => text + ' '.repeat(size)),
  )
}

/** The bytes of a text, each as one character, in an encoding that a client may use by mistake or on purpose. */
const encode = (text: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constant(Buffer.from(text).toString('latin1')) },
    { weight: 1, arbitrary: fc.constant(Buffer.from(text, 'utf16le').toString('latin1')) },
    { weight: 1, arbitrary: fc.constant(text.replaceAll(/[\u0100-\uffff]/g, '\u00ff')) },
    { weight: 1, arbitrary: fc.constant(`${Buffer.from(text).toString('latin1')}\u00c3\u0028\u00ff`) },
  )

/** JSON of values, most of it with one thing wrong. Its bytes are characters below 256. */
export function damagedJson(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const text = fc.oneof(
    { weight: 3, arbitrary: values.map((value) => JSON.stringify(value) ?? 'null') },
    { weight: 4, arbitrary: values.chain(damageValue) },
    { weight: 2, arbitrary: values.chain((value) => damageText(JSON.stringify(value) ?? 'null')) },
  )
  return text.chain(encode)
}
