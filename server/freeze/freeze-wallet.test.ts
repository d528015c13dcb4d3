import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { claimEntries, depositEntries } from '#game/credit.ts'
import { PARCELS } from '#game/world.ts'
import { runOnce, type ActionRequest } from '#server/actions/run-once.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { buyListings } from '#server/market/buy-listings.ts'
import { cancelListings } from '#server/market/cancel-listings.ts'
import { listParcels } from '#server/market/list-parcels.ts'
import { createMarket } from '#server/market/market-mode.ts'
import { celebrate } from '#server/milestones/celebrate.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { type Answer, granted, replyOf } from '#server/platform/answer.ts'
import { type Db, openDb, type Queryable, type Tx } from '#server/platform/db/db.ts'
import { claim, claimAll } from '#server/workers/claim.ts'
import { hire } from '#server/workers/hire.ts'
import { setLocks } from '#server/withdrawals/withdrawal-lock.ts'
import { call, logIn, serveApp } from '#tests/support/serve-app.ts'
import { rawSql } from '#tests/support/raw-sql.ts'
import { testPlayer, type TestPlayer } from '#tests/support/test-player.ts'
import { keyFor, test as withWorld, type TestWorld } from '#tests/support/test-world.ts'
import { freezeWallet, readFreeze, unfreezeWallet } from './freeze-wallet.ts'

const OPEN = createMarket('open')
const REASON = 'We are looking into a report.'

/** `test` with a connection of the login that serves players. */
const test = withWorld.extend('api', { scope: 'file' }, async ({ world }, { onCleanup }) => {
  const api = openDb(world.urlFor('api'), { max: 20, applicationName: 'test-api' })
  onCleanup(() => api.end())
  return api
})

const freeze = (world: TestWorld, { wallet }: TestPlayer): Promise<boolean> =>
  world.db.transaction((tx) =>
    freezeWallet(tx, { wallet, reason: REASON, who: 'ana', now: world.clock.now() }),
  )
const unfreeze = (world: TestWorld, { wallet }: TestPlayer): Promise<boolean> =>
  world.db.transaction((tx) => unfreezeWallet(tx, { wallet }))

let statements = 0
const query = <Row>(db: Queryable, text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  db.rows(rawSql<Row>({ name: `test-freeze-${statements++}`, text }, values))

let nextParcel = 0

/** A player with two parcels, the first of them listed, one picker with something to claim, and credit. */
async function establishedPlayer(world: TestWorld) {
  const player = await world.player({ deposited: 2_000_000 })
  const [listedId, ownedId] = [PARCELS[nextParcel++]!.parcelId, PARCELS[nextParcel++]!.parcelId]
  for (const parcelId of [listedId, ownedId]) await world.buy(player, parcelId)
  const workerId = await world.hire(player, 'kid')
  world.clock.advance(3_600_000)
  const listingId = await list(world, player, listedId)
  return { player, listedId, ownedId, workerId, listingId }
}

async function list(world: TestWorld, { wallet }: TestPlayer, parcelId: string): Promise<string> {
  const offer = { wallet, parcelId, price: cotton(120_000), key: null }
  const market = { clock: world.clock, market: OPEN }
  const [answer] = await world.db.transaction((tx) => listParcels(tx, [offer], market))
  return replyOf(answer!).listing.id
}

type Acting = {
  player: TestPlayer
  ownedId: string
  workerId: string
  foreignListing: string
  world: TestWorld
}

/** Every action that moves value, apart from withdrawals. */
const MOVES: readonly [string, (tx: Tx, acting: Acting) => Promise<Answer<unknown>[]>][] = [
  ['hire', (tx, { player, world }) => hire(tx, [{ ...by(player), workerType: 'kid' }], world.clock)],
  ['claim', (tx, { player, workerId, world }) => claim(tx, [{ ...by(player), workerId }], world.clock)],
  ['claimAll', (tx, { player, world }) => claimAll(tx, [{ ...by(player), workerType: null }], world.clock)],
  [
    'buyParcels',
    (tx, { player, world }) =>
      buyParcels(
        tx,
        [{ ...by(player), parcelId: PARCELS.at(-1)!.parcelId, expectedPrice: null }],
        world.clock,
      ),
  ],
  [
    'listParcels',
    (tx, { player, ownedId, world }) =>
      listParcels(tx, [{ ...by(player), parcelId: ownedId, price: cotton(5) }], {
        clock: world.clock,
        market: OPEN,
      }),
  ],
  [
    'buyListings',
    (tx, { player, foreignListing, world }) =>
      buyListings(tx, [{ ...by(player), listingId: foreignListing, expectedPrice: null }], {
        clock: world.clock,
        market: OPEN,
      }),
  ],
  ['setLocks', (tx, { player, world }) => setLocks(tx, [{ ...by(player), hours: 24 }], world.clock)],
]

const by = ({ wallet }: TestPlayer): ActionRequest => ({ wallet, key: null })

const snapshotOf = (world: TestWorld, { wallet }: TestPlayer): Promise<object[]> =>
  query(
    world.db,
    `select (select jsonb_agg(a order by class) from accounts a where wallet = $1) as accounts,
       (select count(*) from journals where wallet = $1) as journals,
       (select count(*) from entries where wallet = $1) as entries,
       (select jsonb_agg(w order by worker_id) from workers w where wallet = $1) as workers,
       (select count(*) from land where wallet = $1) as land,
       (select count(*) from listings where seller = $1) as listings,
       (select count(*) from withdrawal_locks where wallet = $1) as locks`,
    [wallet],
  )

test('a frozen wallet is refused every move, with the reason, and nothing changes (X-32)', async ({
  world,
  api,
}) => {
  const ana = await establishedPlayer(world)
  const ben = await establishedPlayer(world)
  expect(await freeze(world, ana.player)).toBe(true)
  expect(await freeze(world, ana.player)).toBe(false)
  const before = await snapshotOf(world, ana.player)
  // Of columns with the same name the driver returns only the last.
  expect(Object.keys(before[0]!)).toHaveLength(7)
  const facts = { reason: REASON, since: world.clock.now().toISOString() }
  const refusal = { code: 'wallet_frozen', facts }
  for (const [name, move] of MOVES) {
    const [answer] = await api.transaction((tx) => move(tx, { ...ana, foreignListing: ben.listingId, world }))
    expect([name, answer!.refusal]).toEqual([name, refusal])
  }
  expect(await snapshotOf(world, ana.player)).toEqual(before)
  expect(await unfreeze(world, ana.player)).toBe(true)
  expect(await unfreeze(world, ana.player)).toBe(false)
  for (const [name, move] of MOVES) {
    // What one has claimed, all cannot claim again.
    if (name === 'claimAll') world.clock.advance(3_600_000)
    const [answer] = await api.transaction((tx) => move(tx, { ...ana, foreignListing: ben.listingId, world }))
    expect([name, answer!.refusal?.code]).toEqual([name, undefined])
  }
})

test('a name of any length that a login stores with a freeze has 100 characters', async ({ world }) => {
  const player = await world.player()
  const db = openDb(world.urlFor('console'), { max: 1, applicationName: 'test-console' })
  await query(db, `select freeze_wallet($1, 'a check', repeat('x', 1000000), now())`, [player.wallet])
  await db.end()
  const stored = 'select length(who) as length from frozen_wallets where wallet = $1'
  expect(await query(world.db, stored, [player.wallet])).toEqual([{ length: 100 }])
  // As with a login of 0.1.0.
  const lengthen = `update frozen_wallets set who = repeat('x', 1000000) where wallet = $1`
  await query(world.db, lengthen, [player.wallet])
  expect((await readFreeze(world.db, player.wallet))?.who).toBe('x'.repeat(100))
  expect(await unfreeze(world, player)).toBe(true)
})

test('in a batch, a frozen wallet is refused and the others are served', async ({ world, api }) => {
  const [ana, ben] = [await world.player({ deposited: 50_000 }), await world.player({ deposited: 50_000 })]
  await freeze(world, ana)
  const hires = [ana, ben].map((player) => ({ ...by(player), workerType: 'kid' as const }))
  const answers = await api.transaction((tx) => hire(tx, hires, world.clock))
  expect(answers.map(({ refusal }) => refusal?.code ?? 'done')).toEqual(['wallet_frozen', 'done'])
})

test('a repeated request from before the freeze gets its stored response', async ({ world, api }) => {
  const ana = await world.player({ deposited: 50_000 })
  const request = {
    wallet: ana.wallet,
    key: keyFor('/hire', 'before-freeze', {}),
    workerType: 'kid' as const,
  }
  const ask = () => api.transaction((tx) => hire(tx, [request], world.clock))
  const [first] = await ask()
  await freeze(world, ana)
  expect((await ask())[0]!.reply).toEqual(JSON.parse(JSON.stringify(first!.reply)))
})

test('nobody can buy what a frozen wallet has listed, and its player can cancel the listing', async ({
  world,
  api,
}) => {
  const ana = await establishedPlayer(world)
  const ben = await world.player({ deposited: 1_000_000 })
  const buy = async () => {
    const request = { ...by(ben), listingId: ana.listingId, expectedPrice: null }
    const [answer] = await api.transaction((tx) =>
      buyListings(tx, [request], { clock: world.clock, market: OPEN }),
    )
    return answer!.refusal?.code ?? 'done'
  }
  await freeze(world, ana.player)
  expect(await buy()).toBe('listing_suspended')
  expect(await world.balance(ben)).toBe(cotton(1_000_000))
  const cancel = { ...by(ana.player), listingId: ana.listingId }
  const [cancelled] = await api.transaction((tx) => cancelListings(tx, [cancel], world.clock))
  expect(cancelled!.refusal).toBeUndefined()
  expect(await buy()).toBe('listing_gone')
  const [reached] = await api.transaction((tx) => celebrate(tx, [by(ana.player)], world.clock))
  expect(reached!.refusal).toBeUndefined()
})

const post = (db: Db, world: TestWorld, { wallet }: TestPlayer, kind: 'deposit' | 'claim') =>
  db.transaction(async (tx) => {
    const ledger = await openLedger(tx, [wallet])
    const entries = (kind === 'deposit' ? depositEntries : claimEntries)(wallet, cotton(7))
    ledger.post({ wallet, kind, at: world.clock.now(), detail: {}, entries })
    ledger.write()
  })

test('deposits of a frozen wallet are credited', async ({ world, api }) => {
  const watcher = openDb(world.urlFor('watcher'), { max: 1, applicationName: 'test' })
  const ana = await world.player()
  await freeze(world, ana)
  for (const db of [api, watcher]) await post(db, world, ana, 'deposit')
  expect(await world.credit(ana)).toEqual({ deposited: cotton(14), earned: 0n })
  await watcher.end()
})

test('a wallet that has never played can be frozen', async ({ world, api }) => {
  const ana = testPlayer()
  await freeze(world, ana)
  const [answer] = await api.transaction((tx) => celebrateNothing(tx, ana, world))
  expect(answer!.refusal?.code).toBe('wallet_frozen')
})

const celebrateNothing = (tx: Tx, player: TestPlayer, { clock }: TestWorld) =>
  runOnce(tx, [by(player)], clock, async () => [granted({ success: true as const })])

test('whatever a program that serves players writes, the database keeps a frozen wallet as it is', async ({
  world,
  api,
}) => {
  const { player, listedId, ownedId } = await establishedPlayer(world)
  await freeze(world, player)
  const before = await snapshotOf(world, player)
  const frozen = `the wallet ${player.wallet} is frozen`
  await expect(post(api, world, player, 'claim')).rejects.toThrow(frozen)
  const writes: [string, unknown[]][] = [
    [`update accounts set balance = balance - 1 where wallet = $1 and class = 'deposited'`, [player.wallet]],
    [`update land set wallet = 'Thief' where parcel_id = $1`, [listedId]],
    [
      `insert into listings (id, parcel_id, seller, price, listed_at) values (gen_random_uuid(), $1, $2, 1000000, now())`,
      [ownedId, player.wallet],
    ],
    [`insert into withdrawal_locks (wallet, hours, changed_at) values ($1, 24, now())`, [player.wallet]],
  ]
  for (const [text, values] of writes) await expect(query(api, text, values)).rejects.toThrow(frozen)
  const [, ...checkedByLookup] = writes
  for (const [text, values] of checkedByLookup)
    await expect(
      api.transaction(async (tx) => {
        await query(tx, 'create temp table accounts (wallet text, frozen boolean) on commit drop')
        await query(tx, text, values)
      }),
    ).rejects.toThrow(frozen)
  const denied: [string, unknown[]][] = [
    [`update accounts set frozen = false where wallet = $1`, [player.wallet]],
    [`delete from frozen_wallets where wallet = $1`, [player.wallet]],
    [`select unfreeze_wallet($1)`, [player.wallet]],
    [`select freeze_wallet('AnyWallet', 'why', 'api', now())`, []],
  ]
  for (const [text, values] of denied)
    await expect(query(api, text, values)).rejects.toThrow('permission denied')
  expect(await snapshotOf(world, player)).toEqual(before)
  const signer = openDb(world.urlFor('signer'), { max: 1, applicationName: 'test' })
  await expect(query(signer, `select freeze_wallet('AnyWallet', 'why', 'signer', now())`)).rejects.toThrow(
    'permission denied',
  )
  expect(await signer.transaction((tx) => unfreezeWallet(tx, player))).toBe(true)
  expect(await readFreeze(world.db, player.wallet)).toBeNull()
  await signer.end()
})

test('after a freeze has committed, no journal of its wallet follows', async ({ world, api }) => {
  const outcomes = { done: 0, wallet_frozen: 0 }
  for (let round = 0; round < 12; round++) {
    const ana = await world.player({ deposited: 10_000_000 })
    const hires = Array.from({ length: 24 }, async (_, at) => {
      await sleep(at)
      const [answer] = await api.transaction((tx) =>
        hire(tx, [{ ...by(ana), workerType: 'kid' as const }], world.clock),
      )
      const outcome = answer!.refusal?.code ?? 'done'
      expect(outcome in outcomes, outcome).toBe(true)
      outcomes[outcome as keyof typeof outcomes]++
    })
    const countJournals = `select count(*)::int as count from journals where wallet = $1`
    await sleep(1 + round * 2)
    await freeze(world, ana)
    const [atFreeze] = await query<{ count: number }>(world.db, countJournals, [ana.wallet])
    await Promise.all(hires)
    expect(await query(world.db, countJournals, [ana.wallet])).toEqual([atFreeze])
  }
  expect(Math.min(outcomes.done, outcomes.wallet_frozen), JSON.stringify(outcomes)).toBeGreaterThan(0)
})

test('the player of a frozen wallet logs in and reads the reason, and nobody else reads it (X-32)', async ({
  world,
}) => {
  const [ana, ben] = [await world.player({ deposited: 5 }), await world.player()]
  const app = await serveApp(world)
  await freeze(world, ana)
  const [ofAna, ofBen] = [await logIn(app, ana), await logIn(app, ben)]
  const read = async (token?: string) =>
    (await call(app, 'GET', `/api/users/wallet/${ana.wallet}`, token === undefined ? {} : { token })).body
  const since = world.clock.now().toISOString()
  expect(await read(ofAna)).toMatchObject({ creditBalance: 5, frozen: { reason: REASON, since } })
  expect([(await read(ofBen)).frozen, (await read()).frozen]).toEqual([null, null])
  const history = await call(app, 'GET', '/api/users/history', { token: ofAna })
  expect(history.status).toBe(200)
  const body = { walletAddress: ana.wallet, workerType: 'kid' }
  const refused = await call(app, 'POST', '/api/workers/purchase', { token: ofAna, body })
  expect([refused.status, refused.body]).toEqual([
    409,
    {
      success: false,
      code: 'wallet_frozen',
      reason: REASON,
      since,
      message: `Your wallet is frozen, so nothing was changed. The operator gives this reason: ${REASON}`,
    },
  ])
  await app.close()
})
