import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { readTransfer } from '#server/chain/read-transaction.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config.ts'
import {
  type ChainTestWorld,
  newWallet,
  runQuery,
  signWire,
  type TestWallet,
} from '#tests/support/chain-test-world.ts'
import { createPlayerWith } from '#tests/support/chain-test-players.ts'
import { callConsole, logInToConsole, openConsole } from '#tests/support/operators-console.ts'
import { call } from '#tests/support/serve-app.ts'

const HOUR_MS = 3_600_000

/** A player with something of every kind that a call can name. */
export type Owner = {
  wallet: TestWallet
  token: string
  workerId: string
  /** A parcel that is not listed, and an active listing of another one. */
  parcelId: string
  listingId: string
  withdrawalId: string
  /** A withdrawal that the wallet has signed, and nobody has sent yet. */
  signedWithdrawal: { amount: number; message: string; signature: string }
  signedDeposit: string
  sessionId: string
  historyId: string
}

/** A new api process on the world's database, like another one behind the same proxy. */
export async function openApi(
  { api: db, chain, clock, rpcUrl, urlFor }: ChainTestWorld,
  settings: Record<string, string> = {},
): Promise<FastifyInstance> {
  const config = readConfig({
    DATABASE_URL: urlFor('api'),
    SOLANA_RPC_URL: rpcUrl,
    COTTON_MINT: chain.facts.mint,
    LOCAL_CHAIN: 'on',
    PUBLIC_URL: 'http://farm.test',
    RATE_LIMITS: 'off',
    MARKET_MODE: 'open',
    ...settings,
  })
  return createApp({ config, db, chain, clock, log: pino({ level: 'silent' }) })
}

type Body = Record<string, unknown>

/** Calls that have to succeed. */
async function ask(
  app: FastifyInstance,
  path: string,
  { token, body }: { token?: string; body?: object } = {},
): Promise<Body> {
  const answer = await call(app, body ? 'POST' : 'GET', path, { body, ...(token && { token }) })
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

export async function logInWallet(app: FastifyInstance, wallet: TestWallet): Promise<string> {
  const walletAddress = wallet.address
  const { message } = (await ask(app, '/api/users/nonce', { body: { walletAddress } })) as { message: string }
  const body = { walletAddress, message, signature: await wallet.sign(message) }
  return String((await ask(app, '/api/users/verify-wallet', { body })).token)
}

/** Players with credit, pickers that have something to claim, and three parcels each: one that stays, one that is listed, one that is sold. */
export async function createOwners(
  world: ChainTestWorld,
  app: FastifyInstance,
  parcels: readonly (readonly [string, string, string])[],
): Promise<Owner[]> {
  const settled = await Promise.all(parcels.map((three) => settle(world, app, three)))
  world.clock.skip(HOUR_MS)
  return Promise.all(settled.map(async (each) => ({ ...each, ...(await signCalls(app, each)) })))
}

async function settle(
  world: ChainTestWorld,
  app: FastifyInstance,
  [unlisted, listed, sold]: readonly [string, string, string],
) {
  const [wallet, buyer] = await Promise.all([
    createPlayerWith(world, { deposited: 1_000_000 }),
    createPlayerWith(world, { deposited: 100_000 }),
  ])
  const walletAddress = wallet.address
  const token = await logInWallet(app, wallet)
  const post = (path: string, body: object) => ask(app, path, { token, body })
  const hire = () => post('/api/workers/purchase', { workerType: 'kid', walletAddress })
  const { worker } = (await hire()) as { worker: { workerId: string } }
  await hire()
  for (const parcelId of [unlisted, listed, sold])
    await post('/api/parcels/purchase', { parcelId, walletAddress })
  const list = async (parcelId: string) => {
    const answer = await post('/api/marketplace/list', { parcelId, price: 100_000, walletAddress })
    return (answer as { listing: { id: string } }).listing.id
  }
  const [listingId, soldId] = [await list(listed), await list(sold)]
  await ask(app, '/api/marketplace/purchase', {
    token: await logInWallet(app, buyer),
    body: { listingId: soldId, walletAddress: buyer.address },
  })
  return { wallet, token, workerId: worker.workerId, parcelId: unlisted, listingId }
}

/** What is valid for minutes only. */
async function signCalls(app: FastifyInstance, { wallet, token }: Pick<Owner, 'wallet' | 'token'>) {
  const post = (path: string, body: object) => ask(app, path, { token, body })
  const signWithdrawal = async (amount: number) => {
    const { message } = (await post('/api/users/withdrawals/challenge', { amount })) as { message: string }
    return { amount, message, signature: await wallet.sign(message) }
  }
  const { withdrawal } = (await post('/api/users/withdrawals', await signWithdrawal(2))) as {
    withdrawal: { id: string }
  }
  const { transaction } = (await post('/api/deposits/transaction', { amount: 5 })) as { transaction: string }
  const { sessions } = (await ask(app, '/api/users/sessions', { token: await logInWallet(app, wallet) })) as {
    sessions: { id: string; current: boolean }[]
  }
  const { items } = (await ask(app, '/api/users/history', { token })) as { items: { id: string }[] }
  return {
    withdrawalId: withdrawal.id,
    signedWithdrawal: await signWithdrawal(3),
    signedDeposit: await signWire(wallet, transaction, Uint8Array.from(readTransfer(transaction)!.message)),
    sessionId: sessions.find(({ current }) => current)!.id,
    historyId: items[0]!.id,
  }
}

/** A token of each way in which a session ends, each of another player. Time passes. */
export async function endSessions(
  world: ChainTestWorld,
  app: FastifyInstance,
): Promise<{ ended: Map<string, string>; operatorToken: string }> {
  const ended = new Map<string, string>()
  const open = async (how: string) => {
    const wallet = await newWallet()
    const token = await logInWallet(app, wallet)
    ended.set(how, token)
    return { wallet, token }
  }
  const old = await open('a week old')
  // Used every 23 hours, and at last 8 hours ago: it is too old, and not idle.
  for (let each = 0; each < 7; each++) {
    await ask(app, '/api/users/sessions', { token: old.token })
    if (each === 6) await open('unused for a day')
    world.clock.skip(23 * HOUR_MS)
  }
  await ask(app, '/api/users/sessions', { token: old.token })
  world.clock.skip(8 * HOUR_MS)

  const console = await openConsole(world)
  const operator = console.addOperator('Olga', 'view', 'decide', 'adjust', 'settings')
  const operatorToken = await logInToConsole(console, operator)
  const { wallet } = await open('ended by an operator')
  const end = { method: 'POST', path: '/api/console/players/end-sessions' } as const
  const body = { wallet: wallet.address, reason: 'A report.' }
  const { status } = await callConsole(console, end, { token: operatorToken, body })
  if (status !== 200) throw new Error(`the operator could not end the sessions: ${status}`)
  await console.close()

  await ask(app, '/api/users/logout', { token: (await open('logged out')).token, body: {} })
  const elsewhere = await open('logged out elsewhere')
  const token = await logInWallet(app, elsewhere.wallet)
  await ask(app, '/api/users/sessions/end-others', { token, body: {} })
  return { ended, operatorToken }
}

/** The tables with rows of a player, and the column that names the player. */
const OF_PLAYER: Readonly<Record<string, string>> = {
  accounts: 'wallet',
  checked_balances: 'wallet',
  deposit_addresses: 'wallet',
  entries: 'wallet',
  frozen_wallets: 'wallet',
  idempotency_keys: 'wallet',
  journals: 'wallet',
  land: 'wallet',
  listings: 'seller',
  milestones: 'wallet',
  prepared_deposits: 'wallet',
  receipts: 'wallet',
  restored_payouts: 'wallet',
  reward_day_wallets: 'wallet',
  users: 'wallet',
  withdrawal_challenges: 'wallet',
  withdrawal_locks: 'wallet',
  withdrawals: 'wallet',
  workers: 'wallet',
}

/** Everybody may ask for a nonce of any wallet, and an operator's session is no player's. Of `sessions`, see `snapshotOf`. */
const NOT_COMPARED = ['console_sessions', 'nonces', 'sessions']

/** The tables that have a player's column and are neither compared nor known to be none of the player's. */
export async function findTablesNotCompared({ owner }: ChainTestWorld): Promise<string[]> {
  const named = await runQuery<{ name: string }>(
    owner,
    `select distinct table_name::text as name from information_schema.columns
     where table_schema = 'public' and column_name in ('wallet', 'seller')`,
  )
  const known = new Set([...Object.keys(OF_PLAYER), ...NOT_COMPARED])
  return named.map(({ name }) => name).filter((name) => !known.has(name))
}

/** A hash of each table's rows of a player. Of sessions, only which exist and which have ended. */
export async function snapshotOf({ owner }: ChainTestWorld, wallet: string): Promise<unknown> {
  const hashes = Object.entries(OF_PLAYER).map(
    ([table, column]) =>
      `(select md5(string_agg(t::text, ',' order by t::text)) from ${table} t where ${column} = $1) as ${table}`,
  )
  const sessions = `(select md5(string_agg(concat(id, ended_at), ',' order by id)) from sessions where wallet = $1) as sessions`
  const [row] = await runQuery<object>(owner, `select ${[...hashes, sessions].join()}`, [wallet])
  return row
}
