import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { expect } from 'vitest'
import { type RouteName, ROUTES } from '#contract/routes.ts'
import { ServerMessageSchema } from '#contract/realtime.ts'
import { CONTINENTS } from '#game/continents.ts'
import { PARCELS } from '#game/world.ts'
import { createApp } from '#server/app.ts'
import type { Chain } from '#server/chain/port.ts'
import { readConfig } from '#server/platform/config.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { runApi } from '#tests/support/run-api.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { call, logIn, serveApp } from '#tests/support/serve-app.ts'
import { openSocket, socketUrl, type TestSocket } from '#tests/support/test-socket.ts'
import { type TestPlayer, testPlayer } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'

let app: FastifyInstance
test.beforeAll(async ({ world }) => {
  app = await serveApp(world, { shared: true })
  await app.listen({ host: '127.0.0.1', port: 0 })
})
test.afterAll(() => app.close())

async function watch(url: string, topics: readonly string[] = ['continent:EU']): Promise<TestSocket> {
  const socket = await openSocket(url)
  for (const topic of topics) socket.send({ type: 'subscribe', topic })
  await socket.waitForFrame('parcelStatus')
  return socket
}

async function buy(player: TestPlayer, token: string, parcelId: string) {
  const body = { parcelId, walletAddress: player.wallet }
  return call(app, 'POST', '/api/parcels/purchase', { token, body })
}

async function richPlayer(world: TestWorld): Promise<{ player: TestPlayer; token: string }> {
  const player = await world.player({ deposited: 5_000_000 })
  return { player, token: await logIn(app, player) }
}

const free = PARCELS.filter((parcel) => parcel.regionId === 'EU').map((parcel) => parcel.parcelId)
const nextFree = () => free.shift()!

test('a buyer’s purchase is in every answer that follows, and on every socket that listens (S-92, S-96)', async ({
  world,
}) => {
  const { player, token } = await richPlayer(world)
  const socket = await watch(socketUrl(app.server))
  const { body: before } = await call(app, 'GET', '/api/continent-price/EU')
  const parcelId = nextFree()
  const bought = await buy(player, token, parcelId)
  expect(bought.status).toBe(200)
  const { version, newContinentPrice } = bought.body as { version: number; newContinentPrice: number }
  expect(newContinentPrice).toBeGreaterThan(Number(before.currentPrice))

  expect((await call(app, 'GET', '/api/continent-price/EU')).body.currentPrice).toBe(newContinentPrice)
  const { EU } = (await call(app, 'GET', '/api/continent-stats')).body as Record<string, object>
  expect(EU).toMatchObject({ owned: 1, total: 52, available: 51, currentPrice: newContinentPrice, version })
  const owned = { parcelId, owned: true, ownerWallet: player.wallet }
  const parcels = (await call(app, 'GET', '/api/parcels?regionId=EU')).body as unknown as object[]
  expect(parcels).toContainEqual(expect.objectContaining(owned))
  const mine = (await call(app, 'GET', `/api/parcels?owner=${player.wallet}`)).body as unknown as object[]
  expect(mine).toEqual([expect.objectContaining(owned)])

  const status = await socket.waitForFrame('parcelStatus', (data) => data.version === version)
  expect(status).toMatchObject({ continentCode: 'EU', total: 52, owned: 1 })
  expect(status.parcels).toContainEqual(owned)
  expect(await socket.waitForFrame('parcelUpdate')).toEqual({ regionId: 'EU', version })
  await socket.waitForFrame('continentPrices', (prices) =>
    prices.some((each) => each.continentCode === 'EU' && each.currentPrice === newContinentPrice),
  )
})

test('a hire is in the next supply response, and on every socket', async ({ world }) => {
  const { player, token } = await richPlayer(world)
  const socket = await openSocket(socketUrl(app.server))
  const before = (await socket.waitForFrame('workerUpdate')).kid!.sold
  const body = { workerType: 'kid', walletAddress: player.wallet }
  await call(app, 'POST', '/api/workers/purchase', { token, body })
  const { kid } = (await call(app, 'GET', '/api/workers/supply')).body as { kid: { sold: number } }
  expect(kid.sold).toBe(before + 1)
  await socket.waitForFrame('workerUpdate', (types) => types.kid!.sold === before + 1)
})

/** Public replies that no client revalidates, and why. Every other one is a `CachedResponse`. */
const UNTAGGED: Partial<Record<RouteName, string>> = {
  readChain: 'a page reads it once',
  readSite: 'a page reads it once',
  readParcelSales: 'read from the database for each parcel, when its details open',
}

/** The parameters and queries of the public routes that have some. */
const EXAMPLES: Partial<Record<RouteName, string>> = {
  readContinentPrice: '/api/continent-price/EU',
  readParcels: '/api/parcels?regionId=EU',
}

/** The addresses of the replies that everybody shares, from the declared routes. */
const SHARED_URLS = Object.entries(ROUTES).flatMap(([name, { method, auth, path, query }]) => {
  if (method !== 'GET' || auth !== 'anyone' || name in UNTAGGED) return []
  const example = EXAMPLES[name as RouteName]
  assert(example || !(path.includes(':') || query), `${name} has parameters: give an address in EXAMPLES`)
  return [example ?? path]
})

test('answers that everybody shares come with a tag, and 304 to who has them (A-29)', async ({ world }) => {
  const config = readConfig({
    DATABASE_URL: world.urlFor('api'),
    DATABASE_DIRECT_URL: world.directUrlFor('api'),
    PUBLIC_URL: 'http://farm.test',
  })
  const chain = { facts: { cluster: 'local' } } as Chain
  const whole = await createApp({ ...world, config, chain, log: pino({ level: 'silent' }) })
  try {
    const tagOf = async (url: string) => {
      const { headers, statusCode } = await whole.inject({ url })
      expect([url, statusCode]).toEqual([url, 200])
      expect(
        headers.etag,
        `${url} has no tag: answer a CachedResponse, or give a reason in UNTAGGED`,
      ).toMatch(/^"[\w-]{22}"$/)
      return String(headers.etag)
    }
    const tags = new Map<string, string>()
    for (const url of SHARED_URLS) {
      const etag = await tagOf(url)
      tags.set(url, etag)
      for (const held of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const again = await whole.inject({ url, headers: { 'if-none-match': held } })
        expect([url, again.statusCode, again.body]).toEqual([url, 304, ''])
      }
      const other = await whole.inject({ url, headers: { 'if-none-match': '"other"' } })
      expect([url, other.statusCode, other.headers.etag]).toEqual([url, 200, etag])
      expect([other.headers['content-type'], other.headers['cache-control']]).toEqual([
        'application/json; charset=utf-8',
        'no-cache',
      ])
    }
    const player = await world.player({ deposited: 5_000_000 })
    const token = await logIn(whole, player)
    const body = { parcelId: nextFree(), walletAddress: player.wallet }
    expect((await call(whole, 'POST', '/api/parcels/purchase', { token, body })).status).toBe(200)
    const changed = []
    for (const url of SHARED_URLS) if ((await tagOf(url)) !== tags.get(url)) changed.push(url)
    const land = ['/api/continent-price/EU', '/api/continent-stats', '/api/parcels?regionId=EU']
    expect(changed.toSorted()).toEqual(land)
  } finally {
    await whole.close()
  }
})

test('parcels are listed by continent or by owner, never by both or neither', async () => {
  for (const query of [
    '',
    '?regionId=XX',
    '?regionId=__proto__',
    `?regionId=EU&owner=${testPlayer().wallet}`,
  ]) {
    const { status, body } = await call(app, 'GET', `/api/parcels${query}`)
    expect([query, status, body.field]).toEqual([query, 400, 'regionId'])
  }
  const { status, body } = await call(app, 'GET', `/api/parcels?owner=${testPlayer().wallet}`)
  expect([status, body]).toEqual([200, []])
})

test('refusals of a purchase: another’s wallet, owned land, a price that moved, too little (S-76)', async ({
  world,
}) => {
  const { player, token } = await richPlayer(world)
  const parcelId = nextFree()
  const ask = (body: object, as = token) => call(app, 'POST', '/api/parcels/purchase', { token: as, body })
  const wanted = { parcelId, walletAddress: player.wallet }
  expect((await ask({ ...wanted, walletAddress: testPlayer().wallet })).body.code).toBe('wallet_of_another')
  expect((await ask({ ...wanted, expectedPrice: 0 })).body.field).toBe('expectedPrice')
  const moved = await ask({ ...wanted, expectedPrice: 99_999 })
  const { currentPrice } = (await call(app, 'GET', '/api/continent-price/EU')).body
  expect([moved.status, moved.body.code, moved.body.newPrice]).toEqual([409, 'price_moved', currentPrice])
  expect(moved.body.message).toContain(`${Number(currentPrice).toLocaleString('en-US')} $COTTON`)
  expect((await ask({ ...wanted, parcelId: 'EU-XX' })).body.code).toBe('parcel_not_found')
  await ask(wanted)
  expect((await ask(wanted)).body).toMatchObject({ code: 'parcel_owned' })
  const poor = testPlayer()
  const own = { parcelId: nextFree(), walletAddress: poor.wallet }
  expect((await ask(own, await logIn(app, poor))).body.code).toBe('not_enough_credit_for_parcel')
})

/** The connections on which a process listens for changes. Before its first statement a connection has no query. */
const countListening = sql({
  name: 'test-count-listening',
  row: rowOf<{ count: number }>(),
  text: `select count(*)::integer as count from pg_stat_activity
   where application_name = 'cotton-changes' and datname = current_database() and state = 'idle' and query <> ''`,
})

const POLL_MS = 1_500

/** Expects that a process sees each sale soon. One that only polled would see one of them per poll. */
async function expectSeenBeforePolls(socket: TestSocket, sell: () => Promise<number>): Promise<void> {
  const sales = 8
  const from = performance.now()
  for (let at = 0; at < sales; at++) {
    const sold = await sell()
    await socket.waitForFrame('parcelStatus', ({ version }) => version === sold)
  }
  expect(performance.now() - from).toBeLessThan((sales - 1) * POLL_MS)
}

test('two processes on one database see each other’s sales before they poll, also over HTTP', async ({
  world,
}) => {
  const other = await runApi(world)
  try {
    const there = await watch(`${other.url.replace('http', 'ws')}/`)
    await waitFor('both to listen', async () => (await world.db.rows(countListening))[0]!.count === 2)
    const { player, token } = await richPlayer(world)
    let version = 0
    await expectSeenBeforePolls(there, async () => {
      version = Number((await buy(player, token, nextFree())).body.version)
      return version
    })
    const stats = (await (await fetch(`${other.url}/api/continent-stats`)).json()) as {
      EU: { version: number }
    }
    expect(stats.EU.version).toBe(version)
    const here = await watch(socketUrl(app.server))
    await expectSeenBeforePolls(here, async () => {
      const bought = await fetch(`${other.url}/api/parcels/purchase`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-token': token },
        body: JSON.stringify({ parcelId: nextFree(), walletAddress: player.wallet }),
      })
      return ((await bought.json()) as { version: number }).version
    })
  } finally {
    await other.stop()
  }
})

test('when every LISTEN connection is cut repeatedly, the other process is up to date by its polls', async ({
  world,
}) => {
  const other = await runApi(world)
  const cut = () =>
    world.db.rows(
      sql({
        name: 'test-cut-notifications',
        text: `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'cotton-changes' and datname = current_database()`,
      }),
    )
  const cutting = setInterval(() => void cut(), 20)
  try {
    const there = await watch(`${other.url.replace('http', 'ws')}/`)
    const { player, token } = await richPlayer(world)
    const { version } = (await buy(player, token, nextFree())).body as { version: number }
    await there.waitForFrame('parcelStatus', (data) => data.version === version)
    clearInterval(cutting)
    const bought = await buy(player, token, nextFree())
    await there.waitForFrame('parcelStatus', (data) => data.version === bought.body.version)
  } finally {
    clearInterval(cutting)
    await other.stop()
  }
})

test('a process without notifications is up to date by its polls', async ({ world }) => {
  const deaf = await serveApp(world)
  await deaf.listen({ host: '127.0.0.1', port: 0 })
  try {
    const there = await watch(socketUrl(deaf.server))
    const { player, token } = await richPlayer(world)
    const { version } = (await buy(player, token, nextFree())).body as { version: number }
    await there.waitForFrame('parcelStatus', (data) => data.version === version)
  } finally {
    await deaf.close()
  }
})

test('while a continent sells out, versions only increase, and the last frame has the final state', async ({
  world,
}) => {
  const sockets = await Promise.all(
    Array.from({ length: 5 }, () =>
      watch(
        socketUrl(app.server),
        CONTINENTS.map((code) => `continent:${code}`),
      ),
    ),
  )
  const { player, token } = await richPlayer(world)
  const land = PARCELS.filter(({ regionId }) => regionId === 'AN').map(({ parcelId }) => parcelId)
  const answers = await Promise.all(land.map((parcelId) => buy(player, token, parcelId)))
  expect(answers.map(({ status }) => status)).toEqual(land.map(() => 200))
  const last = Math.max(...answers.map(({ body }) => Number(body.version)))
  for (const socket of sockets) {
    const all = await socket.waitForFrame(
      'parcelStatus',
      (data) => data.continentCode === 'AN' && data.version === last,
    )
    expect(all.owned).toBe(land.length)
    const versions = socket.framesOf('parcelStatus').filter(({ data }) => data.continentCode === 'AN')
    const seen = versions.map(({ data }) => data.version)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    const prices = socket
      .framesOf('continentPrices')
      .map(({ data }) => data.find((each) => each.continentCode === 'AN')!)
    expect(prices.map(({ version }) => version)).toEqual(
      prices.map(({ version }) => version).toSorted((a, b) => a - b),
    )
  }
})

test('no frame has fields beyond the contract, a balance, a token, or a wallet that owns no land', async ({
  world,
}) => {
  const quiet = await richPlayer(world)
  await call(app, 'POST', '/api/workers/purchase', {
    token: quiet.token,
    body: { workerType: 'kid', walletAddress: quiet.player.wallet },
  })
  const { player, token } = await richPlayer(world)
  const socket = await watch(socketUrl(app.server))
  const { version } = (await buy(player, token, nextFree())).body as { version: number }
  await socket.waitForFrame('parcelUpdate', (data) => data.version === version)
  socket.send('what?')
  await socket.waitForFrame('error')
  for (const frame of socket.received) expect(ServerMessageSchema.parse(frame)).toEqual(frame)
  const kinds = ['continentPrices', 'parcelStatus', 'parcelUpdate', 'workerUpdate', 'error']
  expect(socket.received.map(({ type }) => type)).toEqual(expect.arrayContaining(kinds))
  const all = JSON.stringify(socket.received)
  expect(all).toContain(player.wallet)
  for (const secret of [quiet.player.wallet, token, quiet.token, 'Balance', 'kid-0001']) {
    expect(all).not.toContain(secret)
  }
})

test('public responses about land have exactly the fields of the contract', async () => {
  const calls = [
    [ROUTES.readContinentPrice, '/api/continent-price/AN'],
    [ROUTES.readContinentStats, '/api/continent-stats'],
    [ROUTES.readParcels, '/api/parcels?regionId=AN'],
    [ROUTES.readWorkerSupply, '/api/workers/supply'],
  ] as const
  for (const [route, url] of calls) {
    const { body } = await call(app, 'GET', url)
    expect(route.reply.parse(body)).toEqual(body)
  }
})

test('a stopping process closes its sockets and ends', async ({ world }) => {
  const own = await serveApp(world)
  await own.listen({ host: '127.0.0.1', port: 0 })
  const socket = await openSocket(socketUrl(own.server))
  const [code] = await Promise.all([socket.closed, own.close()])
  expect(code).toBe(1001)
})
