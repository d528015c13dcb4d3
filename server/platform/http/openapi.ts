import { toJSONSchema, type ZodMiniType } from 'zod/mini'
import { REFUSALS } from '#contract/refusals.ts'
import type { Route } from '#contract/route.ts'
import { declaredRefusals } from './declared-refusals.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 description of these routes, generated from the declarations that the server serves. */
export function openApiOf(
  routes: readonly Route[],
  { title, version }: { title: string; version: string },
): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'x-auth-token' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function operationOf(route: Route): Json {
  const keyed = {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 8, maxLength: 128 },
  }
  return {
    summary: route.summary,
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...(route.keyed ? [keyed] : []),
    ],
    ...(route.auth === 'anyone' ? {} : { security: securityOf(route) }),
    ...(route.body ? { requestBody: { required: true, content: jsonOf(schemaOf(route.body)) } } : {}),
    responses: {
      200: { description: 'Done.', content: route.csv ? CSV : jsonOf(schemaOf(route.reply)) },
      ...refusalsOf(route),
    },
  }
}

// An empty requirement means that the call may also be made without a token.
function securityOf({ auth }: Route): Json[] {
  const tokens = [{ token: [] }, { bearer: [] }]
  return auth === 'either' ? [{}, ...tokens] : tokens
}

function refusalsOf(route: Route): Json {
  const byStatus = Map.groupBy(declaredRefusals(route), (code) => REFUSALS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, found]) => [
      status,
      {
        description: found.map((code) => `${code}: ${REFUSALS[code].sentence}`).join('\n'),
        content: jsonOf({
          type: 'object',
          properties: { success: { const: false }, code: { enum: found }, message: { type: 'string' } },
          required: ['success', 'code', 'message'],
        }),
      },
    ]),
  )
}

function parametersOf(schema: ZodMiniType | undefined, where: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema) as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: each,
  }))
}

function schemaOf(schema: ZodMiniType): Json {
  const { $schema: _, ...rest } = toJSONSchema(schema, { unrepresentable: 'any' }) as Json
  return rest
}

const CSV: Json = { 'text/csv': { schema: { type: 'string' } } }

const jsonOf = (schema: Json): Json => ({ 'application/json': { schema } })
