import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { freezeWallet } from '#server/freeze/freeze-wallet.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { call, logIn, serveApp } from '#tests/support/serve-app.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { test } from '#tests/support/test-world.ts'

let app: FastifyInstance
test.beforeAll(async ({ world }) => {
  app = await serveApp(world)
})

const readUser = (address: string, token?: string) =>
  call(app, 'GET', `/api/users/wallet/${address}`, token === undefined ? {} : { token })

test('everybody reads the balance of a wallet, and only its player that it is frozen', async ({ world }) => {
  const [ana, bob] = [await world.player({ deposited: 3, earned: 4 }), testPlayer()]
  const tokens = [await logIn(app, ana), await logIn(app, bob), undefined]
  const freeze = { wallet: ana.wallet, reason: 'Under examination.', who: 'zoe', now: world.clock.now() }
  await world.db.transaction((tx) => freezeWallet(tx, freeze))
  const answers = await Promise.all(tokens.map((token) => readUser(ana.wallet, token)))
  const ofOthers = { walletAddress: ana.wallet, creditBalance: 7, frozen: null }
  const frozen = { reason: 'Under examination.', since: world.clock.now().toISOString() }
  expect(answers.map(({ body }) => body)).toEqual([{ ...ofOthers, frozen }, ofOthers, ofOthers])
})

test('an address that is not 32 bytes has no balance', async () => {
  const { status, body } = await readUser('1'.repeat(44))
  expect([status, body.code, body.message]).toEqual([400, 'malformed', 'address: is not a wallet address'])
})

test('a page of the history has fifty changes, or as many as the player asks for', async ({ world }) => {
  const player = await world.player({ deposited: 2_500_000 })
  for (let hired = 0; hired < 50; hired++) await world.hire(player, 'kid')
  const token = await logIn(app, player)
  const pageOf = async (query: string) => {
    const { body } = await call(app, 'GET', `/api/users/history${query}`, { token })
    expect(body.success).toBe(true)
    const { items, next } = body as { items: { id: string }[]; next: string | null }
    return { ids: items.map(({ id }) => id), next }
  }
  const first = await pageOf('')
  const second = await pageOf(`?before=${first.next}`)
  expect([first.ids.length, second.ids.length, second.next]).toEqual([50, 1, null])
  expect(first.next).toBe(first.ids.at(-1))
  const all = [...first.ids, ...second.ids]
  expect(new Set(all).size).toBe(51)
  expect(await pageOf('?limit=2')).toEqual({ ids: all.slice(0, 2), next: all[1] })
  expect((await pageOf('?kind=adjustment')).ids).toEqual(all.slice(-1))

  const headers = { 'x-auth-token': token }
  const csv = await app.inject({ url: '/api/users/history.csv?kind=adjustment', headers })
  expect(csv.headers['content-disposition']).toBe('attachment; filename="cotton-farm-history.csv"')
  const [, record, ...others] = csv.body.trimEnd().split('\r\n')
  expect([record!.split(',').at(-1), others]).toEqual([all.at(-1), []])
})

test('a statement has the sums of its month, as JSON and as CSV', async ({ world }) => {
  const player = await world.player({ deposited: 200_000, earned: 60_000 })
  await world.hire(player, 'kid')
  world.clock.set('2026-02-01T00:00:00.000Z')
  await world.buy(player, 'EU-MT')
  const token = await logIn(app, player)
  const statementOf = async (month: string, of = token) =>
    (await call(app, 'GET', `/api/users/statement?month=${month}`, { token: of })).body

  const january = { deposited: 200_000, earned: 10_000 }
  const february = { deposited: 110_000, earned: 0 }
  expect(await statementOf('2026-01')).toMatchObject({
    success: true,
    statement: { month: '2026-01', opening: { deposited: 0, earned: 0 }, closing: january },
  })
  expect(await statementOf('2026-02')).toEqual({
    success: true,
    statement: {
      month: '2026-02',
      firstMonth: '2026-01',
      opening: january,
      lines: [{ kind: 'parcel', deposited: -90_000, earned: -10_000 }],
      closing: february,
    },
  })
  const none = { deposited: 0, earned: 0 }
  expect(await statementOf('2026-01', await logIn(app, testPlayer()))).toEqual({
    success: true,
    statement: { month: '2026-01', firstMonth: '2026-02', opening: none, lines: [], closing: none },
  })

  const csv = await app.inject({
    url: '/api/users/statement.csv?month=2026-02',
    headers: { 'x-auth-token': token },
  })
  expect(csv.headers['content-disposition']).toBe('attachment; filename="cotton-farm-2026-02.csv"')
  expect(csv.body.replace('\uFEFF', '').trimEnd().split('\r\n')).toEqual([
    'Month (UTC),Kind,Deposited ($COTTON),Earned ($COTTON),Total ($COTTON)',
    '2026-02,opening,200000,10000,210000',
    '2026-02,parcel,-90000,-10000,-100000',
    '2026-02,closing,110000,0,110000',
  ])
})

test('of many statements at once two are read at a time, and other calls are answered meanwhile', async ({
  world,
}) => {
  const held = Promise.withResolvers<void>()
  let reads = 0
  const { rows } = interceptStatements(world.db, async ({ name }, run) => {
    if (name !== 'statement-sums') return run()
    reads += 1
    await held.promise
    return run()
  })
  const slow = await serveApp({ ...world, db: { ...world.db, rows } })
  const tokens = await Promise.all(Array.from({ length: 30 }, () => logIn(slow, testPlayer())))
  const codes: unknown[] = []
  const statements = tokens.map(async (token) => {
    const { body } = await call(slow, 'GET', '/api/users/statement?month=2026-01', { token })
    codes.push(body.code ?? 'answered')
  })
  // Two are read and twenty wait.
  await expect.poll(() => codes).toEqual(Array(8).fill('busy'))
  expect(reads).toBe(2)
  expect((await call(slow, 'GET', '/api/users/history', { token: tokens[0]! })).status).toBe(200)
  held.resolve()
  await Promise.all(statements)
  expect(codes.filter((code) => code === 'answered')).toHaveLength(22)
  await slow.close()
})

test('the statements of one player are read one at a time, and leave the other turn to others', async ({
  world,
}) => {
  const [ana, bob] = [testPlayer(), testPlayer()]
  const firstRead = Promise.withResolvers<void>()
  const reads: unknown[] = []
  const { rows } = interceptStatements(world.db, async ({ name, values: [wallet] }, run) => {
    if (name !== 'statement-sums') return run()
    reads.push(wallet)
    if (wallet === ana.wallet) await firstRead.promise
    return run()
  })
  const slow = await serveApp({ ...world, db: { ...world.db, rows } })
  const [token, ofBob] = [await logIn(slow, ana), await logIn(slow, bob)]
  const read = (by: string) => call(slow, 'GET', '/api/users/statement?month=2026-01', { token: by })
  const statuses: number[] = []
  const statements = Array.from({ length: 30 }, async () => void statuses.push((await read(token)).status))
  // Calls are refused once all places that this player can take are taken.
  await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(8)
  expect((await read(ofBob)).status).toBe(200)
  expect(reads).toEqual([ana.wallet, bob.wallet])
  firstRead.resolve()
  await Promise.all(statements)
  expect(statuses.filter((status) => status === 200)).toHaveLength(21)
  await slow.close()
})

test('of many exports at once two pages are read at a time, of different players, and other calls are answered', async ({
  world,
}) => {
  const [ana, bob, eve] = [await world.player({ deposited: 1 }), testPlayer(), testPlayer()]
  const held = Promise.withResolvers<void>()
  const reads: unknown[] = []
  const { rows } = interceptStatements(world.db, async ({ name, values: [wallet] }, run) => {
    if (name !== 'history-page') return run()
    reads.push(wallet)
    await held.promise
    return run()
  })
  const slow = await serveApp({ ...world, db: { ...world.db, rows } })
  const [token, ...others] = await Promise.all([ana, bob, eve].map((player) => logIn(slow, player)))
  const files = [...Array<string>(30).fill(token!), ...others].map(async (each) => {
    const { body } = await slow.inject({
      url: '/api/users/history.csv',
      headers: { 'x-auth-token': each },
    })
    return body.trimEnd().split('\r\n').length
  })
  await expect.poll(() => reads.length).toBeGreaterThanOrEqual(2)
  expect((await call(slow, 'GET', '/api/users/last-seen', { token: token! })).status).toBe(200)
  expect([reads.length, new Set(reads).size]).toEqual([2, 2])
  held.resolve()
  expect(await Promise.all(files)).toEqual([...Array(30).fill(2), 1, 1])
  expect(reads).toHaveLength(32)
  await slow.close()
})
