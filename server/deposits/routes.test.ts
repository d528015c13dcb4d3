import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { type Chain, ChainUnavailable, type HistoryItem, type Signature } from '#server/chain/port.ts'
import { readTransfer } from '#server/chain/read-transaction.ts'
import type { Db, Queryable } from '#server/platform/db/db.ts'
import { createHttpServer } from '#server/platform/http/http-server.ts'
import { createServe } from '#server/platform/http/serve.ts'
import { createDepositor, createHolder } from '#tests/support/depositors.ts'
import { runQuery, signWire, type TestWallet } from '#tests/support/chain-test-world.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { createNode } from '#tests/support/nodes.ts'
import { showing } from '#tests/support/nodes-with-histories.ts'
import { call } from '#tests/support/serve-app.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { depositRoutes } from './routes.ts'

const world = setUpChainTestWorld()
const apps: FastifyInstance[] = []

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})

/** An api on which everybody is logged in with this wallet. */
async function serveTo(
  { address: wallet }: TestWallet,
  chain: Partial<Chain> = {},
  { localRpcUrl = world.rpcUrl, limited = false, db = world.api } = {},
): Promise<FastifyInstance> {
  const app = await createHttpServer(
    { publicUrl: 'http://farm.test', trustProxy: false, limited: false },
    world.log,
  )
  apps.push(app)
  const authenticate = async () => ({ wallet, tokenHash: Buffer.alloc(32) })
  const serve = createServe(app, { authenticate, limited: false })
  const { clock } = world
  depositRoutes(serve, { db, clock, chain: { ...world.chain, ...chain }, localRpcUrl, limited })
  return app
}

const CALLS = [
  ['GET', '/api/deposits/wallet-balance', undefined],
  ['POST', '/api/deposits/transaction', { amount: 5 }],
  ['POST', '/api/deposits/submit', { transaction: 'AAAA' }],
] as const

test('a player deposits through the routes, from the address to the check', async () => {
  const player = await createHolder(world, 30)
  const app = await serveTo(player)
  expect(await call(app, 'GET', '/api/deposits/wallet-balance')).toMatchObject({
    status: 200,
    body: { success: true, amount: 30 },
  })
  const { depositWallet } = (await call(app, 'GET', '/api/users/deposit-address')).body
  const prepared = await call(app, 'POST', '/api/deposits/transaction', { body: { amount: 12.5 } })
  expect(prepared).toMatchObject({ status: 200, body: { success: true, depositWallet } })
  const unsigned = prepared.body.transaction as string
  const transaction = await signWire(player, unsigned, Uint8Array.from(readTransfer(unsigned)!.message))
  const submitted = await call(app, 'POST', '/api/deposits/submit', { body: { transaction } })
  expect(submitted).toMatchObject({ status: 200, body: { success: true } })
  const signature = readTransfer(transaction)!.id
  expect(submitted.body.signature).toBe(signature)
  await world.waitUntilFinal(signature)
  expect((await call(app, 'GET', '/api/users/check-deposit')).body).toEqual({
    success: true,
    newDeposit: true,
    amount: 12.5,
    newBalance: 12.5,
    pending: 0,
  })
  expect(await world.tokenBalanceOf(String(depositWallet))).toBe(12_500_000n)
  expect((await call(app, 'GET', '/api/deposits')).body).toEqual({ success: true, items: [], next: null })
})

test.each([
  { of: 'one caller', from: 'the chain', limited: true, atOnce: 8 },
  { of: 'one caller', from: 'its nodes', limited: true, atOnce: 8 },
  { of: 'a player of the local chain', from: 'the chain', limited: false, atOnce: 16 },
])('two checks of $of read $atOnce transactions at a time from $from', async ({ from, limited, atOnce }) => {
  const { wallet } = await createDepositor(world)
  const items = Array.from({ length: 8 }, (_, at): HistoryItem => {
    return { signature: `${at}` as Signature, slot: 1n, failed: false, memo: null, commitment: 'finalized' }
  })
  const unknown = Promise.withResolvers<null>()
  const asked = { pages: 0, receipts: 0 }
  const chain: Partial<Chain> = {
    slot: async () => 1n,
    history: (...of) => {
      asked.pages += 1
      return showing(...items)(...of)
    },
  }
  const receipt = () => {
    asked.receipts += 1
    return unknown.promise
  }
  // What the chain does not have is read from each of its nodes.
  const node = createNode(world.chain, { ...chain, receipt })
  const reading = from === 'its nodes' ? { receipt: async () => null, nodes: [node, node] } : { receipt }
  const app = await serveTo(wallet, { ...chain, ...reading }, { limited })
  const checks = [1, 2].map(() => call(app, 'GET', '/api/users/check-deposit'))
  // Each has read its history, and the empty page that ends it.
  await expect.poll(() => asked.pages).toBe(4)
  await sleep(20)
  expect(asked.receipts).toBe(atOnce)
  unknown.resolve(null)
  expect(await Promise.all(checks)).toMatchObject([{ status: 200 }, { status: 200 }])
})

test('the pages of uncredited deposits are those of the player, after the given receipt', async () => {
  const player = await world.wallet()
  const app = await serveTo(player)
  await runQuery(
    world.owner,
    `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, why, seen_at)
     select rpad(translate(n::text, '0', 'A') || 'x', 88, '1'), rpad('x', 44, '1'), $1, 'sol', n, 1, 'unclaimed', 'sol', now()
     from generate_series(1, 101) n`,
    [player.address],
  )
  const first = (await call(app, 'GET', '/api/deposits')).body as { items: unknown[]; next: string }
  expect(first.items).toHaveLength(100)
  const second = await call(app, 'GET', `/api/deposits?before=${first.next}`)
  expect(second.body).toMatchObject({ items: { length: 1 }, next: null })
})

test('everybody sees which chain and token the game runs on', async () => {
  const { cluster, mint, decimals, explorer } = world.chain.facts
  const answer = await call(await serveTo(await world.wallet()), 'GET', '/api/chain')
  expect(answer.body).toEqual({ cluster, mint, decimals, explorer })
})

test('while no node answers, the routes that need one are refused with chain_unreachable', async () => {
  const player = await createHolder(world, 10)
  const online = await serveTo(player)
  const unsigned = (await call(online, 'POST', '/api/deposits/transaction', { body: { amount: 5 } })).body
    .transaction as string
  const transaction = await signWire(player, unsigned, Uint8Array.from(readTransfer(unsigned)!.message))
  const down = () => Promise.reject(new ChainUnavailable('no answer'))
  const app = await serveTo(
    player,
    { tokenBalance: down, latestBlockhash: down, send: down },
    { localRpcUrl: 'http://127.0.0.1:9' },
  )
  for (const [method, path, body] of [
    ...CALLS.slice(0, 2),
    ['POST', '/api/deposits/submit', { transaction }],
    ['POST', '/api/local/faucet', { walletAddress: player.address }],
  ] as const) {
    expect(await call(app, method, path, { body })).toMatchObject({
      status: 503,
      body: { success: false, code: 'chain_unreachable' },
    })
  }
})

test('a bug in a route is a server error, and not an unreachable chain', async () => {
  const app = await serveTo(await world.wallet(), {
    tokenBalance: () => Promise.reject(new TypeError('a bug')),
  })
  expect(await call(app, 'GET', '/api/deposits/wallet-balance')).toMatchObject({ status: 500 })
})

test('a refusal of a deposit is answered with its code', async () => {
  const app = await serveTo(await world.wallet())
  const [method, path, body] = CALLS[2]
  expect(await call(app, method, path, { body })).toMatchObject({
    status: 409,
    body: { code: 'transaction_not_ours' },
  })
})

test('without a free address a new player is asked to try again', async () => {
  await runQuery(world.owner, 'update deposit_addresses set retired_at = now() where wallet is null')
  const answer = await call(await serveTo(await world.wallet()), 'GET', '/api/users/deposit-address')
  expect(answer).toMatchObject({ status: 503, body: { success: false, code: 'busy' } })
})

test('one caller gets three hundred new addresses at a time, and then waits', async () => {
  const player = await world.wallet()
  // Each call is of another player, and there are always free addresses.
  const answers = new Map<string, unknown[]>([
    ['deposits-read-address', []],
    ['deposits-take-address', [{ wallet: player.address, owner: 'owner', tokenAccount: 'account' }]],
  ])
  const assigning = (on: Queryable) =>
    interceptStatements(on, async ({ name }, run) => answers.get(name) ?? run())
  const db: Db = {
    ...world.api,
    rows: assigning(world.api).rows,
    transaction: (work) => world.api.transaction((tx) => work(assigning(tx))),
  }
  const app = await serveTo(player, {}, { limited: true, db })
  // A caller has a whole network of IPv6.
  const ask = (at: number) => call(app, 'GET', '/api/users/deposit-address', { from: `2001:db8:1:2::${at}` })
  const replies = await Promise.all(Array.from({ length: 302 }, (_, at) => ask(at)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(300)
  expect(replies.filter(({ status }) => status === 429)).toMatchObject([
    { body: { code: 'too_many_requests' } },
    { body: { code: 'too_many_requests' } },
  ])
  const last = { body: { amount: 5 }, from: '2001:db8:1:2::302' }
  expect(await call(app, 'POST', '/api/deposits/transaction', last)).toMatchObject({ status: 429 })
})

test('one caller occupies the nodes with eight calls at a time, and does not delay those of others', async () => {
  const answered = Promise.withResolvers<bigint>()
  let asked = 0
  const tokenBalance = () => {
    asked += 1
    return answered.promise
  }
  const app = await serveTo(await world.wallet(), { tokenBalance }, { limited: true })
  const ask = (from: string) => call(app, 'GET', '/api/deposits/wallet-balance', { from })
  const calls = Array.from({ length: 10 }, () => ask('203.0.113.7'))
  await expect.poll(() => asked).toBe(8)
  calls.push(ask('203.0.113.8'))
  await expect.poll(() => asked).toBe(9)
  answered.resolve(3_000_000n)
  const amounts = (await Promise.all(calls)).map(({ body }) => body.amount)
  expect(amounts).toEqual(Array(11).fill(3))
  expect(asked).toBe(11)
})

test('a caller with too many requests at once is asked to wait, and the game does not say that it is busy', async () => {
  const answered = Promise.withResolvers<bigint>()
  const tokenBalance = () => answered.promise
  const app = await serveTo(await world.wallet(), { tokenBalance }, { limited: true })
  const ask = () => call(app, 'GET', '/api/deposits/wallet-balance', { from: '203.0.113.7' })
  const calls = Array.from({ length: 49 }, ask)
  // The others wait for the node.
  expect(await Promise.race(calls)).toMatchObject({
    status: 429,
    body: { code: 'too_many_requests', message: 'Too many requests. Please wait 5 s.' },
  })
  answered.resolve(3_000_000n)
  const replies = await Promise.all(calls)
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(48)
})
