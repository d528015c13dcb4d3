import * as fc from 'fast-check'
import type { ConsoleRoute } from '#contract/console/route.ts'
import type { Route } from '#contract/route.ts'
import { damagedJson, type Known, oddText, schemaOf, valueOf } from './json-values.ts'

/** A request as plain data, so that it can be printed and stored. In `body` each character is one byte. */
export type FuzzRequest = {
  method: string
  path: string
  headers: readonly (readonly [name: string, value: string])[]
  body: string | null
}

/** Placeholders of header values. The runner fills them with sessions that are active. */
export const SESSIONS = { player: '{player}', other: '{other}', operator: '{operator}' } as const

const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']

const MEDIA_TYPES = [
  'application/json; charset=utf-8',
  'application/json;charset=utf-16',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'application/problem+json',
  'text/plain',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=a',
  'application/octet-stream',
  '*/*',
  '__proto__',
  ';',
  '',
]

const mostly = <T>(usual: T, others: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others })

/** Text that a header can carry. Other bytes are in the raw requests. */
const headerText = oddText.map((text) =>
  text.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '').slice(0, 4_000),
)

const sessionHeaders = (own: string): fc.Arbitrary<[string, string][]> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant<[string, string][]>([['authorization', `Bearer ${own}`]]) },
    { weight: 4, arbitrary: fc.constant<[string, string][]>([['x-auth-token', own]]) },
    { weight: 2, arbitrary: fc.constant<[string, string][]>([]) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<[string, string][]>(
        [
          ['x-auth-token', own],
          ['authorization', `Bearer ${SESSIONS.other}`],
        ],
        [['x-auth-token', SESSIONS.other]],
        [['authorization', `Bearer ${SESSIONS.operator}`]],
        [['authorization', own]],
        [['authorization', `bearer  ${own} `]],
        [['authorization', `Basic ${own}`]],
      ),
    },
    { weight: 1, arbitrary: headerText.map((odd): [string, string][] => [['x-auth-token', odd]]) },
    {
      weight: 1,
      arbitrary: headerText.map((odd): [string, string][] => [['authorization', `Bearer ${odd}`]]),
    },
  )

const keyHeader: fc.Arbitrary<[string, string][]> = fc.oneof(
  { weight: 4, arbitrary: fc.uuid().map((key): [string, string][] => [['idempotency-key', key]]) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('the-first-key', 'the-second-key')
      .map((key): [string, string][] => [['idempotency-key', key]]),
  },
  { weight: 2, arbitrary: fc.constant<[string, string][]>([]) },
  { weight: 1, arbitrary: headerText.map((odd): [string, string][] => [['idempotency-key', odd]]) },
)

const ODD_HEADERS: readonly [string, string][] = [
  ['origin', 'https://evil.example'],
  ['origin', 'null'],
  ['host', 'evil.example'],
  ['host', ''],
  ['x-forwarded-for', '1.2.3.4, ::1, not an address'],
  ['x-forwarded-host', 'evil.example'],
  ['x-http-method-override', 'DELETE'],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br, gzip'],
  ['accept-encoding', 'br;q=1, gzip;q=0, *;q=9'],
  ['accept', '*/*;q=NaN'],
  ['range', 'bytes=0-0,-1,5-2'],
  ['if-none-match', '*'],
  ['if-none-match', 'W/"a", "b'],
  ['if-modified-since', 'yesterday'],
  ['expect', '200-maybe'],
  ['x-request-id', '../../a'],
  ['traceparent', '00-00000000000000000000000000000000-0000000000000000-00'],
  ['accept-version', '9.9.9'],
  ['cookie', '__proto__=1'],
  ['user-agent', 'a'.repeat(3_000)],
  ['connection', 'x-auth-token'],
  ['te', 'trailers, deflate'],
]

const oddHeaders: fc.Arbitrary<[string, string][]> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<[string, string][]>([]) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...ODD_HEADERS), { minLength: 1, maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...ODD_HEADERS), headerText)
      .map(([[name], odd]): [string, string][] => [[name, odd]]),
  },
)

/** A path segment: as it is, or percent-encoded in one of the ways in which clients do it. */
const segment = (text: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(encodeURIComponent(text.toWellFormed())) },
    {
      weight: 1,
      arbitrary: fc.constant(
        [...Buffer.from(text).subarray(0, 200)]
          .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
          .join(''),
      ),
    },
    { weight: 1, arbitrary: fc.constant(encodeURIComponent(encodeURIComponent(text.toWellFormed()))) },
  )

const changePath = (path: string): fc.Arbitrary<string> =>
  mostly(
    path,
    fc.constantFrom(
      `${path}/`,
      `/${path}`,
      path.toUpperCase(),
      path.replace('/api/', '/api//'),
      path.replace('/api/', '/api/./'),
      path.replace('/api/', '/x/../api/'),
      `${path}%00`,
      `${path};a=b`,
      `${path}%`,
      `${path}/../../index.html`,
      `${path}.json`,
      `http://evil.example${path}`,
    ),
  )

const queryText = (values: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: values.map((value) => `?${new URLSearchParams(value as Record<string, string>)}`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(values, oddText, oddText)
        .map(([value, name, odd]) => `?${new URLSearchParams({ ...(value as object), [name]: odd })}`),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(values, fc.nat({ max: 4 }), oddText).map(([value, at, odd]) => {
        const names = Object.keys(value as object)
        const name = names[at % Math.max(1, names.length)] ?? 'a'
        return `?${new URLSearchParams({ ...(value as object), [name]: odd })}`
      }),
    },
    {
      weight: 1,
      arbitrary: values.chain((value) => {
        const text = `?${new URLSearchParams(value as Record<string, string>)}`
        const once = text.slice(1)
        return fc.constantFrom(
          `?${once}&${once}`,
          `${text}&a[]=1&a[b]=2`,
          '?',
          '??',
          '?%zz',
          '?=&=&',
          `?${'a=1&'.repeat(1_200)}`,
          `${text}#a`,
        )
      }),
    },
  )

/** A route of either contract. */
type AnyRoute = Pick<Route, 'method' | 'path'> &
  Partial<Pick<Route, 'params' | 'keyed'>> &
  Pick<Route | ConsoleRoute, 'query' | 'body'>

/** Requests to a route: valid ones, and ones with something wrong in any part. */
export function requestTo(route: AnyRoute, of: { session: string; known: Known }): fc.Arbitrary<FuzzRequest> {
  const params = route.params ? valueOf(schemaOf(route.params), of.known) : fc.constant({})
  const path = params
    .chain((values) => fillPath(route.path, values as Record<string, string>))
    .chain(changePath)
  const query = route.query
    ? queryText(valueOf(schemaOf(route.query), of.known))
    : mostly('', queryText(fc.constant({})))
  const body = route.body
    ? damagedJson(valueOf(schemaOf(route.body), of.known))
    : fc.constantFrom(...(route.method === 'POST' ? ['', '{}', '[]', 'null'] : [null]))
  const headers = fc
    .tuple(
      sessionHeaders(of.session),
      route.keyed ? keyHeader : fc.constant<[string, string][]>([]),
      mostly('application/json', fc.constantFrom(...MEDIA_TYPES)),
      oddHeaders,
    )
    .map(([session, key, type, odd]): [string, string][] => [
      ...session,
      ...key,
      ...(type ? [['content-type', type] as [string, string]] : []),
      ...odd,
    ])
  return fc.record(
    {
      method: mostly(route.method as string, fc.constantFrom(...METHODS)),
      path: fc.tuple(path, query).map((parts) => parts.join('')),
      headers,
      body: fc.oneof(
        { weight: 12, arbitrary: body },
        { weight: 1, arbitrary: fc.constantFrom(null, '', '{}') },
      ),
    },
    { noNullPrototype: true },
  )
}

/** Whether a request is to this route. A parameter of its path may have any text. */
export function isRequestTo(
  { method, path }: Pick<AnyRoute, 'method' | 'path'>,
  request: Pick<FuzzRequest, 'method' | 'path'>,
): boolean {
  const parts = path.split('/')
  const asked = request.path.split('?')[0]!.split('/')
  return (
    request.method === method &&
    asked.length === parts.length &&
    parts.every((part, at) => part.startsWith(':') || part === asked[at])
  )
}

function fillPath(path: string, values: Readonly<Record<string, string>>): fc.Arbitrary<string> {
  const parts = path.split('/').map((part) => {
    if (!part.startsWith(':')) return fc.constant(part)
    return mostly(values[part.slice(1)] ?? '', oddText).chain(segment)
  })
  return fc.tuple(...parts).map((all) => all.join('/'))
}

const OTHER_PATHS = [
  '/',
  '/healthz',
  '/readyz',
  '/api',
  '/api/openapi.json',
  '/api/nothing',
  '/ws',
  '/metrics',
  '/assets/a.js',
  '/index.html',
  '/myfarm',
  '/parcels/EU',
  '/favicon.ico',
  '/.env',
  '*',
]

/** Requests beside the contract: pages, files, health checks and paths that do not exist. */
export const otherRequest: fc.Arbitrary<FuzzRequest> = fc.record(
  {
    method: mostly('GET', fc.constantFrom(...METHODS)),
    path: fc.oneof(
      fc.constantFrom(...OTHER_PATHS).chain(changePath),
      oddText.chain(segment).map((odd) => `/${odd}`),
      fc
        .tuple(fc.constantFrom(...OTHER_PATHS), oddText.chain(segment))
        .map(([path, odd]) => `${path}/${odd}?${odd}`),
    ),
    headers: oddHeaders,
    body: mostly<string | null>(null, fc.constantFrom('', '{}', 'a'.repeat(20_000))),
  },
  { noNullPrototype: true },
)

/** The request as a command. Bytes that a shell would change are escaped. */
export function asCurl({ method, path, headers, body }: FuzzRequest, url: string): string {
  const quote = (text: string): string =>
    /^[\u0020-\u007e]*$/.test(text)
      ? `'${text.replaceAll("'", "'\\''")}'`
      : `$'${[...Buffer.from(text, 'latin1')].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`
  const lines = headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const data = body === null ? [] : [`--data-binary ${quote(body)}`]
  return ['curl -i --path-as-is', `-X ${method}`, ...lines, ...data, quote(url + path)].join(' ')
}
