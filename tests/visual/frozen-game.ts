import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { cotton } from '#game/cotton.ts'
import { claimEntries, depositEntries } from '#game/credit.ts'
import type { WorkerType } from '#game/workers.ts'
import { createApp } from '#server/app.ts'
import { startTestChain } from '#local-chain/test-chain.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { storeSnapshot } from '#server/solvency/reserve-snapshot.ts'
import { readCreditSupply } from '#server/solvency/read-credit-supply.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { replyOf } from '#server/platform/answer.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, openDb, sql } from '#server/platform/db/db.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { claimAll } from '#server/workers/claim.ts'
import { hire } from '#server/workers/hire.ts'
import { freshDatabase } from '#tests/support/database.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { startTestPostgres } from '#tests/support/test-postgres.ts'

/** The instant at which every screenshot is taken. */
export const NOW = '2026-01-05T12:00:00.000Z'

export type ScenePlayer = { address: string; token: string }

/** The whole game on a real database and a real local chain, with its clock frozen at `NOW` and the same players in every run. */
export type FrozenGame = { url: string; players: Record<PlayerName, ScenePlayer> }

export type PlayerName = 'farmer' | 'newcomer'

/** A database, and a clock that is set before each action. */
type GameSetup = { db: Db; clock: Clock; set: (instant: string) => void }

/** Starts three games: a new one, one that has been played for a day, and one where all pickers are sold. */
export async function startFrozenGames(): Promise<{
  games: Record<GameName, FrozenGame>
  stop(): Promise<void>
}> {
  const postgres = await startTestPostgres()
  const chain = await startTestChain()
  const closers: (() => Promise<unknown>)[] = [postgres.stop, chain.stop]
  const start = async (
    populate: (setup: GameSetup) => Promise<void>,
    marketMode: 'open' | 'closed',
  ): Promise<FrozenGame> => {
    const database = await freshDatabase()
    const db = openDb(database.url, { max: 8, applicationName: 'visual-tests' })
    let now = new Date(NOW)
    const clock: Clock = { now: () => now }
    await populate({ db, clock, set: (instant) => void (now = new Date(instant)) })
    now = new Date(NOW)
    const port = await findFreePort()
    const config = readConfig({
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      LOCAL_CHAIN: 'on',
      SOLANA_RPC_URL: chain.url,
      COTTON_MINT: chain.mint,
      MARKET_MODE: marketMode,
      RATE_LIMITS: 'off',
      X_URL: 'https://x.example/cottonfarm',
      TOKEN_URL: 'https://token.example/cotton',
    })
    const app = await createApp({
      config: { ...config, databaseUrl: database.url },
      db,
      chain: chain.chain,
      clock,
      log: pino({ level: 'silent' }),
    })
    // Pages take the time of the game from this header. Cached responses skip the hooks, so Node's response gets it.
    app.server.prependListener('request', (_request, response) => {
      response.setHeader('date', new Date(NOW).toUTCString())
    })
    await app.listen({ port, host: 'localhost' })
    closers.push(async () => {
      await app.close()
      await db.end()
    })
    const url = config.publicUrl
    const names: PlayerName[] = ['farmer', 'newcomer']
    const players = await Promise.all(names.map(async (name) => [name, await logIn(url, name)] as const))
    return { url, players: Object.fromEntries(players) as FrozenGame['players'] }
  }
  try {
    const games = {
      fresh: await start(setUpFreshGame, 'closed'),
      grown: await start(setUpGrownGame, 'open'),
      gone: await start(setUpSoldOutGame, 'open'),
    }
    return { games, stop }
  } catch (error) {
    await stop()
    throw error
  }

  async function stop(): Promise<void> {
    for (const close of closers.toReversed()) await close()
  }
}

export type GameName = 'fresh' | 'grown' | 'gone'

/** There is no signer, so a deposit address must exist. */
async function setUpFreshGame({ db, clock }: GameSetup): Promise<void> {
  await assignAddress(db, 'newcomer', clock.now())
}

async function setUpGrownGame(setup: GameSetup): Promise<void> {
  const { db, clock, set } = setup
  await grantCredit(db, 'farmer', { deposited: 2_350_000, earned: 41_250, at: '2026-01-04T09:00:00.000Z' })
  await grantCredit(db, 'neighbour', { deposited: 9_000_000, at: '2026-01-04T09:00:00.000Z' })
  await grantCredit(db, 'newcomer', { deposited: 12_500, at: '2026-01-04T09:00:00.000Z' })
  const farmer = deriveWallet('farmer').wallet
  const neighbour = deriveWallet('neighbour').wallet
  const hires: [string, WorkerType][] = [
    ['2026-01-04T09:30:00.000Z', 'kid'],
    ['2026-01-04T09:40:00.000Z', 'kid'],
    ['2026-01-04T10:05:00.000Z', 'grandma'],
    ['2026-01-04T12:20:00.000Z', 'grandad'],
    ['2026-01-05T08:00:00.000Z', 'bigman'],
    ['2026-01-05T08:01:00.000Z', 'kid'],
  ]
  for (const [at, workerType] of hires) {
    set(at)
    await hireOne(setup, farmer, workerType)
  }
  set('2026-01-05T08:30:00.000Z')
  const request = { wallet: farmer, workerType: 'kid' as const, key: null }
  const [claimed] = await db.transaction((tx) => claimAll(tx, [request], clock))
  replyOf(claimed!)
  for (const [minute, parcelId] of ['EU-FR', 'EU-IS', 'OC-NZ'].entries()) {
    set(`2026-01-05T09:0${minute}:00.000Z`)
    await buyOne(setup, farmer, parcelId)
  }
  for (const parcelId of SOLD.split(' ')) await buyOne(setup, neighbour, parcelId)
  for (let n = 0; n < 9; n++) await hireOne(setup, neighbour, n % 3 ? 'kid' : 'bigman')
  await db.rows(
    sql({
      name: 'visual-sold',
      text: `update worker_types set sold = max_supply * 4 / 5 where worker_type = 'bigman'`,
    }),
  )
  await assignAddress(db, 'farmer', clock.now())
  await listParcel(db, { seller: farmer, parcelId: 'EU-IS', price: 140_000, at: '2026-01-05T10:00:00.000Z' })
  await storeReserveSnapshot(db)
  for (const [n, parcelId] of ['EU-DE', 'NA-US', 'AS-JP', 'SA-BR', 'AN-03'].entries()) {
    const at = `2026-01-05T0${n + 3}:2${n}:00.000Z`
    await listParcel(db, { seller: neighbour, parcelId, price: 115_000 + n * 31_500, at })
  }
}

/** A recent snapshot: two thirds of the tokens are in cold storage, and some belong to nobody. */
async function storeReserveSnapshot(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const { deposited, pool, held } = await readCreditSupply(tx)
    const depositAccounts = cotton(421_500)
    const surplus = cotton(250_000)
    const others = deposited + pool + held + surplus - depositAccounts
    const cold = (others * 2n) / 3n
    const snapshot = {
      at: new Date(NOW),
      slot: 312_480_977n,
      tookMs: 40,
      treasury: others - cold,
      cold,
      coldWallets: [deriveWallet('cold storage').wallet, deriveWallet('colder storage').wallet],
      depositAccounts,
      inFlight: 0n,
      deposited,
      pool,
      held,
      creditedAhead: 0n,
      surplus,
      shortSince: null,
      confirmed: false,
    }
    await storeSnapshot(tx, { snapshot, last: null })
  })
}

const SOLD = 'EU-DE EU-ES EU-IT EU-GB EU-PL EU-UA EU-SE EU-NO NA-US NA-CA SA-BR AS-JP AS-IN AF-EG AF-ZA AN-03'

async function hireOne({ db, clock }: GameSetup, wallet: string, workerType: WorkerType): Promise<void> {
  const [answer] = await db.transaction((tx) => hire(tx, [{ wallet, workerType, key: null }], clock))
  replyOf(answer!)
}

async function buyOne({ db, clock }: GameSetup, wallet: string, parcelId: string): Promise<void> {
  const purchase = { wallet, parcelId, expectedPrice: null, key: null }
  const [answer] = await db.transaction((tx) => buyParcels(tx, [purchase], clock))
  replyOf(answer!)
}

async function setUpSoldOutGame({ db }: GameSetup): Promise<void> {
  await grantCredit(db, 'farmer', { deposited: 800_000, at: '2026-01-04T09:00:00.000Z' })
  await db.rows(sql({ name: 'visual-sold-out', text: 'update worker_types set sold = max_supply' }))
}

const addAddress = sql({
  name: 'visual-address',
  params: { owner: 'text', tokenAccount: 'text', wallet: 'text', at: 'timestamptz' },
  text: ({ owner, tokenAccount, wallet, at }) =>
    `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at) values (1, ${owner}, ${tokenAccount}, ${wallet}, ${at})`,
})

async function assignAddress(db: Db, name: PlayerName, at: Date): Promise<void> {
  const { wallet } = deriveWallet(name)
  await db.rows(addAddress, {
    owner: deriveWallet('deposits').wallet,
    tokenAccount: deriveWallet('tokens').wallet,
    wallet,
    at,
  })
}

const addListing = sql({
  name: 'visual-list',
  params: { parcelId: 'text', seller: 'text', price: 'bigint', at: 'timestamptz' },
  text: ({ parcelId, seller, price, at }) =>
    `insert into listings (id, parcel_id, seller, price, listed_at)
     values (gen_random_uuid(), ${parcelId}, ${seller}, ${price}, ${at})`,
})

async function listParcel(
  db: Db,
  { seller, parcelId, price, at }: { seller: string; parcelId: string; price: number; at: string },
): Promise<void> {
  await db.rows(addListing, { parcelId, seller, price: cotton(price), at: new Date(at) })
}

async function grantCredit(
  db: Db,
  name: string,
  { deposited, earned = 0, at }: { deposited: number; earned?: number; at: string },
): Promise<void> {
  const { wallet } = deriveWallet(name)
  await db.transaction(async (tx) => {
    const ledger = await openLedger(tx, [wallet])
    const of = { wallet, at: new Date(at) }
    ledger.post({ ...of, kind: 'deposit', detail: {}, entries: depositEntries(wallet, cotton(deposited)) })
    if (earned > 0)
      ledger.post({ ...of, kind: 'adjustment', detail: {}, entries: claimEntries(wallet, cotton(earned)) })
    ledger.write()
  })
}

/** The same key for the same name, on every machine. The prefix is part of the addresses in the baselines. */
function deriveWallet(name: string) {
  return testPlayer(createHash('sha256').update(`looks ${name}`).digest())
}

async function logIn(url: string, name: PlayerName): Promise<ScenePlayer> {
  const { wallet, sign: signed } = deriveWallet(name)
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { message: string; token: string }
  }
  const { message } = await post('/api/users/nonce', { walletAddress: wallet })
  const signature = signed(message).toString('base64')
  const { token } = await post('/api/users/verify-wallet', { walletAddress: wallet, message, signature })
  // No screenshot has a celebration: which page shows it would depend on the order of the scenes.
  const celebrate = { walletAddress: wallet }
  const headers = { 'x-auth-token': token, 'idempotency-key': `milestones-of-${name}` }
  await post('/api/milestones/celebrate', celebrate, headers)
  return { address: wallet, token }
}
