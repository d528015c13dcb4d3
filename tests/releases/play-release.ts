import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pino } from 'pino'
import { cotton } from '#game/cotton.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { readPasswords, withLogin } from '#server/platform/db/roles.ts'
import { startPostgres } from '#server/processes/postgres/postgres.ts'
import { readMasterSeed } from '#server/signer/keys/master-seed.ts'
import { openLanes } from '#server/signer/nonces/open-lanes.ts'
import { renewLanes } from '#server/signer/nonces/renew-lanes.ts'
import { sendPayouts } from '#server/signer/payouts/send-payouts.ts'
import { settlePayouts } from '#server/signer/payouts/settle-payouts.ts'
import { signApproved } from '#server/signer/payouts/sign-approved.ts'
import { reviewRequests } from '#server/signer/review/review-requests.ts'
import type { Signer } from '#server/signer/signer.ts'
import { sendAlerts } from '#server/monitoring/send-alerts.ts'
import { createSigningRound } from '#server/signer/start-signer.ts'
import { openSession } from '#server/console/sessions.ts'
import { createHoursRound } from '#server/monitoring/record-hours.ts'
import { recordCreditSupply } from '#server/solvency/record-credit-supply.ts'
import { takeTerm } from '#server/platform/role-term.ts'
import { watchSolvency } from '#server/solvency/watch-solvency.ts'
import { applyWorld } from '#server/world/apply-world.ts'
import { readWorldFile } from '#server/world/world-config.ts'
import { restoreBackup, takeBackup } from '#tests/support/backup.ts'
import { makeOps } from '#tests/support/operators.ts'
import { createPlayerWith, runUntilSettled, withdraw } from '#tests/support/chain-test-players.ts'
import {
  type ChainTestWorld,
  openChainTestWorldIn,
  runQuery,
  SITE,
  type TestWallet,
  waitUntil,
} from '#tests/support/chain-test-world.ts'
import { call } from '#tests/support/serve-app.ts'

const HOUR_MS = 3_600_000
const REASON = ['--reason', 'A part of a kept release.']

/** Tables that a game may leave empty. */
const MAY_BE_EMPTY = new Set<string>([])

type Say = (line: string) => void

/**
 * Makes a data folder of this program by playing: every table has rows, and there is a withdrawal in every state. Throws if
 * a table stays empty. Returns the number of rows.
 */
export async function playRelease(dataDir: string, say: Say): Promise<number> {
  // Little WAL, so that the folder stays small.
  const settings = ['full_page_writes=off', 'wal_recycle=off', 'fsync=off']
  const postgres = await startPostgres({ dataDir, settings })
  try {
    const passwords = readPasswords({ env: {}, secretsDir: join(dataDir, 'secrets') })
    await migrate({ url: postgres.url, passwords, ownCluster: true })
    await applyWorld(postgres.url, readWorldFile({ worldFile: '', dataDir }))
    const seed = readMasterSeed({ dataDir, localChain: true, env: {}, boundTreasury: null })
    const world = await openChainTestWorldIn({
      dir: dataDir,
      seed,
      database: {
        url: postgres.url,
        urlFor: (name) => withLogin(postgres.url, { name, password: passwords[name] }),
      },
    })
    try {
      await play(world, { url: withLogin(postgres.url, { name: 'api', password: passwords.api }), say })
      return await countRows(world)
    } finally {
      await world.close()
    }
  } finally {
    await postgres.stop()
  }
}

async function play(world: ChainTestWorld, { url, say }: { url: string; say: Say }): Promise<void> {
  world.clock.skip(-2 * HOUR_MS)
  const signer = await world.newSigner()
  await waitUntil(async () => (await world.tokenBalanceOf(signer.treasury.address)) > 0n, 60_000)
  say('a payout that a restored backup has forgotten')
  await forgetPayout(world)
  say('players who hire, claim, trade and lock')
  const players = await playOverHttp(world, url)
  const { address } = await world.wallet()
  const { run } = makeOps(world)
  await run(['freeze', address, '--by', 'ana', '--reason', 'A part of a kept release.'])
  await run(['announce', 'A part of a kept release.', '--until', '2199-01-01T00:00:00Z', '--by', 'ana'])
  say('withdrawals in every state')
  await replacePayout(world, await createPlayerWith(world, { deposited: 100 }))
  await withdrawInEveryState(world, players)
  await watchSolvency({ db: world.watcher, chain: world.chain, clock: world.clock, log: world.log })
  await recordCreditSupply({ db: world.watcher, clock: world.clock })
  const laterClock = { now: () => new Date(world.clock.now().getTime() + 2 * HOUR_MS) }
  await createHoursRound({ db: world.watcher, clock: laterClock })()
  await world.owner.transaction(async (tx) => openSession(tx, { wallet: address, now: world.clock.now() }))
  say('alerts that the operator has received')
  const { watcher: db, clock, log } = world
  const term = await takeTerm({ db, role: 'watcher', holder: 'release', log })
  await term.end({ release: true })
  await sendAlerts({ db, clock, repeatMs: HOUR_MS, post: () => Promise.resolve() })
}

async function ops(world: ChainTestWorld, ...args: string[]): Promise<void> {
  const { operators, run } = makeOps(world)
  await run([...args, ...operators.key('ana')], { connect: () => Promise.resolve(world.chain) })
  process.exitCode = undefined
}

/** Runs a newly started signer until it has compared its books with the chain. */
async function runUntilReady(world: ChainTestWorld): Promise<void> {
  const round = createSigningRound(await world.newSigner())
  for (let rounds = 0; rounds < 12; rounds++) await round()
}

async function forgetPayout(world: ChainTestWorld): Promise<void> {
  const wallet = await createPlayerWith(world, { deposited: 9 })
  await takeBackup(world.owner)
  await withdraw(world, wallet, cotton(5))
  await runUntilSettled(world, await world.newSigner(), [wallet])
  await restoreBackup(world.owner)
  await runQuery(world.owner, 'drop schema backup cascade')
  await runUntilReady(world)
  await ops(world, 'restored', '--take-back', ...REASON)
  await ops(world, 'resume', 'withdrawals', ...REASON)
}

async function playOverHttp(world: ChainTestWorld, databaseUrl: string): Promise<TestWallet[]> {
  const { api: db, chain, clock, rpcUrl } = world
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    SOLANA_RPC_URL: rpcUrl,
    COTTON_MINT: chain.facts.mint,
    LOCAL_CHAIN: 'on',
    PUBLIC_URL: SITE.uri,
  })
  const app = await createApp({ config, db, chain, clock, log: pino({ level: 'silent' }) })
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'idempotency-key': randomUUID() }
    const result = await call(app, 'POST', path, { body, headers, ...(token && { token }) })
    if (result.status !== 200) throw new Error(`${path}: ${JSON.stringify(result.body)}`)
    return result.body
  }
  const logIn = async (wallet: TestWallet): Promise<string> => {
    const walletAddress = wallet.address
    const { message } = await post('/api/users/nonce', { walletAddress })
    const signature = await wallet.sign(String(message))
    return String((await post('/api/users/verify-wallet', { walletAddress, message, signature })).token)
  }
  await ops(world, 'market', 'open', 'EU', ...REASON)
  const ana = await createPlayerWith(world, { deposited: 2_000_000 })
  const ben = await createPlayerWith(world, { deposited: 2_000_000 })
  const [ofAna, ofBen] = [await logIn(ana), await logIn(ben)]
  const walletAddress = ana.address
  for (const workerType of ['kid', 'grandma'])
    await post('/api/workers/purchase', { workerType, walletAddress }, ofAna)
  clock.skip(HOUR_MS / 2)
  await post('/api/workers/claim-all', {}, ofAna)
  for (const parcelId of ['EU-FR', 'EU-DE', 'EU-ES'])
    await post('/api/parcels/purchase', { parcelId, walletAddress }, ofAna)
  const list = async (parcelId: string) =>
    (await post('/api/marketplace/list', { parcelId, price: 150_000, walletAddress }, ofAna)) as {
      listing: { id: string }
    }
  const [sold, cancelled] = [await list('EU-FR'), await list('EU-DE')]
  await list('EU-ES')
  await post('/api/marketplace/purchase', { listingId: sold.listing.id, walletAddress: ben.address }, ofBen)
  await post(`/api/marketplace/cancel/${cancelled.listing.id}`, { walletAddress }, ofAna)
  const wrong = { walletAddress, message: 'Nonce: none', signature: await ana.sign('another text') }
  await post('/api/users/verify-wallet', wrong).catch(() => undefined)
  await post('/api/milestones/celebrate', { walletAddress }, ofAna)
  await post('/api/users/withdrawal-lock', { hours: 24 }, ofBen)
  await post('/api/deposits/transaction', { amount: 10 }, ofAna).catch(() => undefined)
  await post('/api/users/withdrawals/challenge', { amount: 10 }, ofAna)
  await app.close()
  return [ana, ben]
}

/** A withdrawal whose first transaction no block includes. */
async function replacePayout(world: ChainTestWorld, wallet: TestWallet): Promise<void> {
  const { id } = await withdraw(world, wallet, cotton(7))
  const attempts = () =>
    runQuery<{ wire: Buffer }>(
      world.owner,
      `select wire from payouts where withdrawal_id = $1 union all
       select wire from payout_replacements where withdrawal_id = $1`,
      [id],
    )
  const signer = await world.newSigner({
    ...world.chain,
    send: async (wire, options) => {
      const isLost = (await attempts()).some((each) => each.wire.toString('base64') === wire)
      return isLost ? { state: 'unknown', detail: 'lost' } : world.chain.send(wire, options)
    },
  })
  const round = createSigningRound(signer)
  await waitUntil(async () => (await round(), (await attempts()).length === 1), 60_000)
  world.clock.skip(31_000)
  await round()
  await runUntilSettled(world, await world.newSigner(), [wallet])
}

async function createReadySigner(world: ChainTestWorld): Promise<Signer> {
  const signer = await world.newSigner()
  await waitUntil(async () => {
    await openLanes(signer)
    await settlePayouts(signer)
    return renewLanes(signer)
  }, 60_000)
  return signer
}

async function withdrawInEveryState(world: ChainTestWorld, [ana]: TestWallet[]): Promise<void> {
  const wallets = await Promise.all(
    Array.from({ length: 6 }, () => createPlayerWith(world, { deposited: 50 })),
  )
  const [finalized, sent, signed, approved, review, requested] = wallets
  const request = (wallet: TestWallet | undefined, amount = 20) => withdraw(world, wallet!, cotton(amount))
  // One for an operator to reject, and one that is paid.
  const refused = await request(ana)
  await ops(world, 'reject', refused.id, ...REASON)
  await ops(world, 'adjust', finalized!.address, '10', '--class', 'earned', ...REASON)
  // More than was deposited: the rest comes from the reward budget of the day.
  await request(finalized, 55)
  await runUntilSettled(world, await world.newSigner(), [finalized!])
  const signer = await createReadySigner(world)
  await request(sent)
  await reviewRequests(signer)
  await signApproved(signer)
  await sendPayouts(signer)
  await request(signed)
  await reviewRequests(signer)
  await signApproved(signer)
  await request(approved)
  await reviewRequests(signer)
  // Where tokens have a value, an operator approves first withdrawals.
  const onMainnet = { ...world.chain, facts: { ...world.chain.facts, cluster: 'mainnet' as const } }
  const strict = await world.newSigner(onMainnet)
  const { id } = await request(review)
  await reviewRequests(strict)
  await ops(world, 'approve', id)
  await request(review)
  await reviewRequests(strict)
  await world.newSigner()
  await request(requested)
}

async function countRows(world: ChainTestWorld): Promise<number> {
  const tables = await runQuery<{ name: string }>(
    world.owner,
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await runQuery<{ rows: number }>(world.owner, `select count(*)::int as rows from ${name}`)
      return { name, rows: row?.rows ?? 0 }
    }),
  )
  const empty = counts.filter(({ name, rows }) => rows === 0 && !MAY_BE_EMPTY.has(name))
  if (empty.length > 0)
    throw new Error(`The play leaves tables empty: ${empty.map(({ name }) => name).join(', ')}.`)
  const states = await runQuery<{ state: string }>(world.owner, 'select distinct state from withdrawals')
  const missing = ['requested', 'review', 'approved', 'signed', 'sent', 'finalized', 'refunded'].filter(
    (state) => !states.some((row) => row.state === state),
  )
  if (missing.length > 0) throw new Error(`No withdrawal is ${missing.join(' or ')}.`)
  return counts.reduce((sum, { rows }) => sum + rows, 0)
}
