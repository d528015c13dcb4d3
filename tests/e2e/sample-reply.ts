import { toJSONSchema } from 'zod/mini'
import type { Route } from '#contract/route.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

type JsonSchema = {
  type?: string | string[]
  const?: Json
  enum?: Json[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  propertyNames?: JsonSchema
  additionalProperties?: JsonSchema
  items?: JsonSchema
  minimum?: number
  pattern?: string
  format?: string
}

/** Texts of the game. A field gets the first one that its pattern allows. */
const TEXTS = [
  'text',
  '2026-11-20T09:12:00.000Z',
  '0f8fad5b-d9cb-469f-a165-708677289501',
  '4Nd1mYwJfYQ3yJ3n6YkVqLZ4uSGmZ3mHkYyM8x5o1Zqb',
  '5'.repeat(88),
  'EU-FR',
  'kid-0001',
  '1',
]

/** A complete reply of a route, made from its declaration. Lists have one element and no further page. */
export function sampleReply({ reply }: Pick<Route, 'reply'>): Json {
  return sampleOf(toJSONSchema(reply, { unrepresentable: 'any' }) as JsonSchema)
}

function sampleOf(schema: JsonSchema): Json {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]!
  if (schema.anyOf) return sampleOf(schema.anyOf[0]!)
  if (Array.isArray(schema.type)) return sampleOf({ ...schema, type: schema.type[0] })
  if (schema.type === 'array') return schema.items ? [sampleOf(schema.items)] : []
  if (schema.type === 'object') return sampleObject(schema)
  if (schema.type === 'boolean') return false
  if (schema.type === 'null') return null
  if (schema.type === 'string') {
    const { pattern, format } = schema
    if (format === 'uri') return 'https://example.org/'
    return TEXTS.find((text) => !pattern || new RegExp(pattern).test(text)) ?? ''
  }
  return Math.max(1, schema.minimum ?? 1)
}

function sampleObject({ properties = {}, propertyNames, additionalProperties }: JsonSchema): Json {
  const keys = additionalProperties ? (propertyNames?.enum ?? ['key']) : []
  return Object.fromEntries([
    ...keys.map((key) => [String(key), sampleOf(additionalProperties!)] as const),
    // Pages read on while there is a cursor.
    ...Object.entries(properties).map(
      ([key, field]) => [key, key === 'next' ? null : sampleOf(field)] as const,
    ),
  ])
}
