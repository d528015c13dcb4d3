import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { accountRoutes } from '#server/account/routes.ts'
import { createSessions } from '#server/account/sessions.ts'
import { startLocalChain } from '#local-chain/run-local-chain.ts'
import { readTransfer } from '#server/chain/read-transaction.ts'
import { connectChain } from '#server/chain/solana.ts'
import type { RunningRounds } from '#server/platform/run-rounds.ts'
import { depositRoutes } from '#server/deposits/routes.ts'
import { startWatcher } from '#server/deposits/watch-deposits.ts'
import { verifyLedger } from '#server/ledger/verify-ledger.ts'
import { systemClock as clock } from '#server/platform/clock.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { type Db, openDb } from '#server/platform/db/db.ts'
import { siteOf } from '#server/platform/site.ts'
import { createHttpServer } from '#server/platform/http/http-server.ts'
import { createServe } from '#server/platform/http/serve.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { newWallet, signWire, type TestWallet, waitUntil } from '#tests/support/chain-test-world.ts'
import { readMasterSeed } from '#server/signer/keys/master-seed.ts'
import { withdrawalRoutes } from './routes.ts'
import { startSigner } from '#server/signer/start-signer.ts'

let dir: string
let database: FreshDatabase
let local: Awaited<ReturnType<typeof startLocalChain>>
let app: FastifyInstance
let api: Db
let owner: Db
let config: Config
const roles: RunningRounds[] = []
const logged: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'cotton-farm-routes-'))
  ;[database, local] = await Promise.all([
    freshDatabase(),
    startLocalChain({ dir: join(dir, 'chain'), port: 0, slotMs: 40, finalDepth: 4 }),
  ])
  config = {
    ...readConfig({
      SOLANA_RPC_URL: local.url,
      COTTON_MINT: local.mint,
      LOCAL_CHAIN: 'on',
      DATA_DIR: dir,
      PUBLIC_URL: 'http://farm.test',
    }),
    databaseUrl: database.urlFor('signer'),
  }
  roles.push(await startSigner(config, log, { env: {}, term: null }))
  roles.push(await startWatcher({ ...config, databaseUrl: database.urlFor('watcher') }, log))
  api = openDb(database.urlFor('api'), { max: 20, applicationName: 'test-api' })
  owner = openDb(database.url, { max: 2, applicationName: 'test-owner' })
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [local.url] })
  app = await createHttpServer({ publicUrl: 'http://farm.test', trustProxy: false, limited: false }, log)
  const sessions = createSessions({ db: api, clock })
  const site = siteOf({ publicUrl: 'http://farm.test' }, 'local')
  const serve = createServe(app, { authenticate: sessions.authenticate, limited: false })
  accountRoutes(serve, { db: api, clock, sessions, site })
  depositRoutes(serve, { db: api, clock, chain, localRpcUrl: local.url })
  withdrawalRoutes(serve, { db: api, clock, site, log })
})

afterEach(async () => {
  expect(await verifyLedger(owner)).toEqual([])
})

afterAll(async () => {
  await app.close()
  await Promise.all(roles.map((role) => role.stop()))
  await Promise.all([api.end(), owner.end()])
  await Promise.all([database.drop(), local.stop()])
  rmSync(dir, { recursive: true, force: true })
})

type Answer = { status: number; body: Record<string, unknown> }

async function call(
  path: string,
  { body, token }: { body?: object | string; token?: string } = {},
): Promise<Answer> {
  const response = await app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url: path,
    headers: {
      ...(token && { 'x-auth-token': token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    payload: body,
  })
  return { status: response.statusCode, body: response.json() }
}

async function logIn(): Promise<{ wallet: TestWallet; token: string }> {
  const wallet = await newWallet()
  const walletAddress = wallet.address
  const { message } = (await call('/api/users/nonce', { body: { walletAddress } })).body as {
    message: string
  }
  const signature = await wallet.sign(message)
  const answer = await call('/api/users/verify-wallet', { body: { walletAddress, message, signature } })
  return { wallet, token: answer.body.token as string }
}

async function withdrawBody(wallet: TestWallet, token: string, amount: number) {
  const challenge = await call('/api/users/withdrawals/challenge', { token, body: { amount } })
  const message = challenge.body.message as string
  return { amount, message, signature: await wallet.sign(message) }
}

test('a player gets tokens from the faucet, deposits them, and withdraws them to the wallet (N-05)', async () => {
  const { wallet, token } = await logIn()
  const inWallet = async () => (await call('/api/deposits/wallet-balance', { token })).body.amount
  expect(await inWallet()).toBe(0)
  expect(await call('/api/chain')).toMatchObject({
    body: { cluster: 'local', mint: local.mint, decimals: 6 },
  })
  const gift = await call('/api/local/faucet', { body: { walletAddress: wallet.address } })
  expect(gift).toMatchObject({ status: 200, body: { success: true, amount: 1_000_000 } })

  await waitUntil(async () => (await inWallet()) === 1_000_000)

  const { depositWallet } = (await call('/api/users/deposit-address', { token })).body
  const prepared = await call('/api/deposits/transaction', { token, body: { amount: 250.5 } })
  expect(prepared).toMatchObject({ status: 200, body: { success: true, depositWallet } })
  const unsigned = prepared.body.transaction as string
  const transaction = await signWire(wallet, unsigned, Uint8Array.from(readTransfer(unsigned)!.message))
  expect(await call('/api/deposits/submit', { token, body: { transaction } })).toMatchObject({ status: 200 })
  await waitUntil(
    async () => (await call(`/api/users/wallet/${wallet.address}`)).body.creditBalance === 250.5,
  )
  expect(await call('/api/users/check-deposit', { token })).toMatchObject({
    body: { success: true, newDeposit: true, amount: 250.5, newBalance: 250.5, pending: 0 },
  })
  expect(await inWallet()).toBe(999_749.5)

  const body = await withdrawBody(wallet, token, 200.25)
  const requested = await call('/api/users/withdrawals', { token, body })
  expect(requested).toMatchObject({
    status: 200,
    body: { newBalance: 50.25, withdrawal: { state: 'requested' } },
  })
  const { id } = requested.body.withdrawal as { id: string }
  const lines = logged.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.filter(({ msg }) => msg === 'a withdrawal was requested')).toMatchObject([
    { withdrawal: id, requestId: expect.any(String) },
  ])
  await waitUntil(async () => {
    const { withdrawals } = (await call('/api/users/withdrawals', { token })).body
    return (withdrawals as { state: string }[])[0]!.state === 'finalized'
  })
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [local.url] })
  const tokens = await chain.tokenBalance(await chain.tokenAccountOf(wallet.signer.address), 'finalized')
  expect(tokens).toBe(999_949_750_000n)
  expect(await call('/api/users/withdrawable', { token })).toMatchObject({
    body: { withdrawable: 50.25, deposited: 50.25, earned: 0, minimum: 1, paused: false, pause: null },
  })
})

test('every route refuses an invalid amount with a sentence', async () => {
  const { token } = await logIn()
  const signed = { message: 'm', signature: `${'A'.repeat(86)}==` }
  for (const amount of ['0', '-1', '1.0000001', '"NaN"', 'null', '"5"', '[5]', 'true']) {
    const bodies = [
      ['/api/deposits/transaction', `{"amount":${amount}}`],
      ['/api/users/withdrawals/challenge', `{"amount":${amount}}`],
      ['/api/users/withdrawals', `{"amount":${amount},${JSON.stringify(signed).slice(1)}`],
    ] as const
    for (const [path, body] of bodies) {
      const answer = await call(path, { token, body })
      expect(answer).toMatchObject({ status: 400, body: { success: false, code: 'malformed' } })
      expect(answer.body.message).toMatch(/^amount: /)
    }
  }
  const half = await call('/api/users/withdrawals/challenge', { token, body: { amount: 0.5 } })
  expect(half).toMatchObject({ status: 400, body: { message: 'amount: must be at least 1' } })
  const much = { token, body: `{"amount":1e21}` }
  expect(await call('/api/deposits/transaction', much)).toMatchObject({
    status: 400,
    body: { code: 'malformed', message: 'amount: must be at most 8,589,934,591' },
  })
  expect(await call('/api/users/withdrawals/challenge', much)).toMatchObject({
    status: 409,
    body: { code: 'above_balance', balance: '0', available: '0' },
  })
  const body = `{"amount":1e21,${JSON.stringify(signed).slice(1)}`
  expect(await call('/api/users/withdrawals', { token, body })).toMatchObject({
    status: 409,
    body: {
      message: 'This is more than your balance of 0 $COTTON. Right now you can withdraw 0 $COTTON.',
    },
  })
})

test('no money moves without a session', async () => {
  const tries = [
    call('/api/users/deposit-address'),
    call('/api/users/check-deposit'),
    call('/api/users/withdrawals'),
    call('/api/users/withdrawable'),
    call('/api/deposits/wallet-balance'),
    call('/api/deposits/transaction', { body: { amount: 5 } }),
    call('/api/deposits/submit', { body: { transaction: 'AAAA' } }),
    call('/api/users/withdrawals/challenge', { body: { amount: 5 } }),
    call('/api/users/withdrawals', { body: { amount: 5, message: 'm', signature: `${'A'.repeat(86)}==` } }),
  ]
  for (const answer of await Promise.all(tries)) {
    expect(answer).toMatchObject({
      status: 401,
      body: { code: 'not_authenticated', message: 'Not authenticated' },
    })
  }
})

test('wrong signatures and unknown transactions are each refused with their own code', async () => {
  const { token } = await logIn()
  const nothing = await call('/api/users/withdrawals/challenge', { token, body: { amount: 5 } })
  expect(nothing).toMatchObject({ status: 409, body: { code: 'above_balance' } })
  const forged = { amount: 5, message: 'm', signature: `${'A'.repeat(86)}==` }
  expect(await call('/api/users/withdrawals', { token, body: forged })).toMatchObject({ status: 401 })
  const foreign = await call('/api/deposits/submit', { token, body: { transaction: 'AAAA' } })
  expect(foreign).toMatchObject({ status: 409, body: { code: 'transaction_not_ours' } })
  const faucet = await call('/api/local/faucet', { body: { walletAddress: '1'.repeat(44) } })
  expect(faucet).toMatchObject({ status: 400 })
})

test('the seed reaches no log', async () => {
  const bytes = Buffer.from(readMasterSeed({ dataDir: dir, localChain: true, env: {}, boundTreasury: null }))
  const seed = bytes.toString('hex')
  expect(logged.length).toBeGreaterThan(0)
  expect(logged.join('')).not.toContain(seed)
  const other = { ...config, dataDir: join(dir, 'other') }
  const start = (env: NodeJS.ProcessEnv) => startSigner(other, log, { env, term: null })
  await expect(start({})).rejects.toThrow(/seed of this game is missing/)
  await expect(start({ SIGNER_SEED: 'ab'.repeat(64) })).rejects.toThrow(/seed is not the one/)
  expect(logged.join('')).not.toContain(seed)
})
