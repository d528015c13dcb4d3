import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { expect } from 'vitest'
import { ROUTES } from '#contract/routes.ts'
import type { Route } from '#contract/route.ts'
import { serveApp, signLogin } from './support/serve-app.ts'
import { test } from './support/test-world.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const { sections } = JSON.parse(read('docs/security/asvs-5.0.json')) as { sections: Record<string, string> }

/** The requirements of levels 1 and 2, as `1.2.3 1`. */
const required = Object.entries(sections).flatMap(([section, levels]) =>
  [...levels].flatMap((level, at) => (level === '3' ? [] : [`${section}.${at + 1} ${level}`])),
)

const page = read('docs/security/asvs.md')
const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim())
const rows = page
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+ +\| \d/.test(line))
  .map((line) => {
    const [, number = '', level = '', , state = '', how = ''] = cellsOf(line)
    return { number, level, state, how }
  })

test('the list of requirements is complete: 70 of level 1, 183 of level 2, 92 of level 3', () => {
  const all = Object.values(sections).join('')
  expect(['1', '2', '3'].map((level) => all.split(level).length - 1)).toEqual([70, 183, 92])
})

test('every requirement of levels 1 and 2 has one row', () => {
  expect(rows.map(({ number, level }) => `${number} ${level}`)).toEqual(required)
})

test('every row has a state and a reason, and the files that it names exist', () => {
  const broken = rows.flatMap(({ number, state, how }) => {
    const files = [...how.matchAll(/`([\w./-]+\.tsx?)`/g)].map((match) => match[1]!)
    return [
      ...(['met', 'partly', 'no', 'n/a'].includes(state) ? [] : [`${number} has the state ${state}`]),
      ...(how === '' ? [`${number} says nothing`] : []),
      ...files.filter((file) => !existsSync(join(ROOT, file))).map((file) => `${number} names ${file}`),
    ]
  })
  expect(broken).toEqual([])
  const tested = rows.filter(({ state, how }) => state === 'met' && /\.(test|e2e)\.tsx?`/.test(how))
  expect(tested.length).toBeGreaterThan(90)
})

test('what is not met is listed at the end with its reason', () => {
  const end = page.split('## Not met')[1]!
  const listed = end.split('\n').flatMap((line) => {
    const numbers = cellsOf(line)[1] ?? ''
    const [, section, first, last] = /^(\d+\.\d+)\.(\d+) to \1\.(\d+)$/.exec(numbers) ?? []
    if (section === undefined) return numbers.match(/\d+\.\d+\.\d+/g) ?? []
    return Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, at) => `${section}.${Number(first) + at}`,
    )
  })
  const open = rows.filter(({ state }) => state === 'partly' || state === 'no').map(({ number }) => number)
  expect(listed.toSorted()).toEqual(open.toSorted())
})

test('the proof counts the requirements of each state', () => {
  const [met, partly, no, others] = ['met', 'partly', 'no', 'n/a'].map(
    (state) => rows.filter((row) => row.state === state).length,
  )
  expect(no).toBe(1)
  expect(read('docs/proof.md').replaceAll(/\s+/g, ' ')).toContain(
    `${met} of ${rows.length} are met, ${partly} partly, one is not, and ${others} do not apply.`,
  )
})

test('no response sets a cookie, redirects, opens CORS, or lacks type, charset or nosniff (3.3.1, 3.4.2, 3.4.4, 3.7.2, 4.1.1)', async ({
  world,
}) => {
  const app = await serveApp(world)
  const send = async (request: InjectOptions) => {
    const answer = await app.inject(request)
    const names = Object.keys(answer.headers)
    const forbidden = names.filter((name) => /^(set-cookie|location|refresh|access-control-.*)$/.test(name))
    expect([request.method, request.url, forbidden]).toEqual([request.method, request.url, []])
    expect(answer.headers['content-type']).toMatch(/^[a-z]+\/[a-z]+; charset=utf-8$/)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.statusCode < 300 || answer.statusCode >= 400).toBe(true)
    return answer
  }
  const routes: Route[] = Object.values(ROUTES)
  const paths = [
    ...routes.map(({ method, path }) => ({ method, url: path })),
    { method: 'GET' as const, url: '/' },
  ]
  for (const { method, url } of paths)
    for (const origin of [undefined, 'http://farm.test', 'https://evil.example'])
      await send({
        method,
        url,
        headers: origin ? { origin } : {},
        ...(method === 'POST' && { payload: {} }),
      })

  // Without a session most of these are refused. A player's calls are served.
  const player = await world.player({ deposited: 50_000 })
  const walletAddress = player.wallet
  const post = (url: string, payload: object, token = '') =>
    send({ method: 'POST', url, payload, headers: token ? { 'x-auth-token': token } : {} })
  const nonce = await post('/api/users/nonce', { walletAddress })
  const login = await post('/api/users/verify-wallet', signLogin(player, nonce.json().message))
  const { token } = login.json() as { token: string }
  const hire = await post('/api/workers/purchase', { walletAddress, workerType: 'kid' }, token)
  const logout = await post('/api/users/logout', {}, token)
  expect([nonce, login, hire, logout].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  await app.close()
})

test('methods that no route has are refused, and TRACE repeats nothing (13.4.4)', async ({ world }) => {
  const app = await serveApp(world)
  for (const method of ['TRACE', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'] as const) {
    const headers = { 'x-auth-token': 'not-repeated' }
    const answer = await app.inject({ method: method as 'PUT', url: ROUTES.readWorkerTypes.path, headers })
    expect([method, answer.statusCode]).toEqual([method, 404])
    expect(answer.body).not.toContain('not-repeated')
  }
  await app.close()
})

test('a repeated parameter is refused, and a request id has an alphabet (15.3.7, 16.4.1)', async ({
  world,
}) => {
  const app = await serveApp(world)
  const url = '/api/parcels?regionId=EU&regionId=AF'
  const idOf = async (id: string) =>
    (await app.inject({ url, headers: { 'x-request-id': id } })).headers['x-request-id']
  expect((await app.inject({ url })).json()).toMatchObject({ code: 'malformed' })
  expect(await idOf('proxy-1')).toBe('proxy-1')
  for (const hostile of ['{"level":60}', 'a b', 'x'.repeat(65)])
    expect(await idOf(hostile)).toMatch(/^[0-9a-f-]{36}$/)
  await app.close()
})
