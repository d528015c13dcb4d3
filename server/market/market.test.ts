import fc from 'fast-check'
import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { PARCELS } from '#game/world.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import { replyOf } from '#server/platform/answer.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { type TestPlayer } from '#tests/support/test-player.ts'
import { keyFor, test, type TestWorld } from '#tests/support/test-world.ts'
import { buy, cancel, codeOf, landowner, list, listed, nextFreeParcel } from '#tests/support/trade-land.ts'
import { createMarket } from './market-mode.ts'
import {
  type Listing,
  listingOnWire,
  readActiveListings,
  readListingsOf,
  readSalesOf,
} from './read-listings.ts'

const NO_LISTING = '00000000-0000-7000-8000-000000000000'

const SOLD: Listing = {
  id: '00000000-0000-7000-8000-000000000001',
  parcelId: 'EU-FR',
  seller: 'seller',
  price: cotton(10),
  lastPrice: cotton(100),
  state: 'sold',
  listedAt: new Date(0),
  buyer: 'buyer',
  closedAt: new Date(1),
}

const ownerOf = async (world: TestWorld, parcelId: string) =>
  (
    await world.db.rows(
      sql({
        name: 'test-owner-of',
        params: { parcelId: 'text' },
        row: rowOf<{ wallet: string }>(),
        text: ({ parcelId }) => `select wallet from land where parcel_id = ${parcelId}`,
      }),
      { parcelId },
    )
  )[0]?.wallet

test('a resale transfers the land, pays nine tenths and preserves the classes of credit (S-61, A-04)', async ({
  world,
}) => {
  const { owner, parcelId, listingId } = await listed(world, 120_000)
  const before = await world.credit(owner)
  const buyer = await world.player({ earned: 60_000, deposited: 100_000 })
  const reply = replyOf(await buy(world, buyer, listingId))
  expect(reply).toMatchObject({
    message: 'Purchase successful! The land is now yours.',
    parcelId,
    newBalance: 40_000,
  })
  expect(await ownerOf(world, parcelId)).toBe(buyer.wallet)
  const after = await world.credit(owner)
  expect(after.earned - before.earned).toBe(cotton(54_000))
  expect(after.deposited - before.deposited).toBe(cotton(54_000))
  expect(await readSalesOf(world.db, { parcelId })).toMatchObject({
    sales: [{ by: 'game' }, { by: 'player', price: 120_000 }],
    next: null,
  })
  expect(await auditBooks(world.db)).toEqual([])
})

test('fifty buyers of one listing make one sale, and only its buyer pays', async ({ world }) => {
  const { parcelId, listingId } = await listed(world, 10_000)
  const buyers = await Promise.all(Array.from({ length: 50 }, () => world.player({ deposited: 10_000 })))
  const answers = await Promise.all(buyers.map((buyer) => buy(world, buyer, listingId)))
  expect(answers.map(codeOf).filter((code) => code === 'done')).toHaveLength(1)
  expect(answers.map(codeOf).filter((code) => code === 'listing_gone')).toHaveLength(49)
  const winner = buyers[answers.findIndex((answer) => answer.reply)]!
  expect(await ownerOf(world, parcelId)).toBe(winner.wallet)
  const balances = await Promise.all(buyers.map((buyer) => world.balance(buyer)))
  expect(balances.reduce((sum, each) => sum + each, 0n)).toBe(cotton(49 * 10_000))
})

test('of a concurrent cancel and purchase exactly one happens, and the balances match it', async ({
  world,
}) => {
  for (let round = 0; round < 10; round++) {
    const { owner, parcelId, listingId } = await listed(world, 1_000)
    const buyer = await world.player({ deposited: 1_000 })
    const [sold, cancelled] = await Promise.all([
      buy(world, buyer, listingId),
      cancel(world, owner, listingId),
    ])
    expect([codeOf(sold), codeOf(cancelled)].toSorted()).toEqual(['done', 'listing_gone'])
    const bought = codeOf(sold) === 'done'
    expect(await ownerOf(world, parcelId)).toBe(bought ? buyer.wallet : owner.wallet)
    expect(await world.balance(buyer)).toBe(bought ? 0n : cotton(1_000))
  }
})

test('two concurrent listings of one parcel make one listing (A-03)', async ({ world }) => {
  const { owner, parcelId } = await landowner(world)
  const answers = await Promise.all(Array.from({ length: 20 }, () => list(world, owner, parcelId, 5)))
  expect(answers.map(codeOf).filter((code) => code === 'done')).toHaveLength(1)
  expect(answers.map(codeOf).filter((code) => code === 'already_listed')).toHaveLength(19)
})

test('a purchase of an old listing never buys a parcel that was listed again for more', async ({ world }) => {
  const { owner, parcelId, listingId } = await listed(world, 1_000)
  const buyer = await world.player({ deposited: 1_000_000 })
  await Promise.all([
    buy(world, buyer, listingId),
    (async () => {
      if (codeOf(await cancel(world, owner, listingId)) === 'done')
        await list(world, owner, parcelId, 900_000)
    })(),
  ])
  const paid = cotton(1_000_000) - (await world.balance(buyer))
  expect([0n, cotton(1_000)]).toContain(paid)
  expect((await ownerOf(world, parcelId)) === buyer.wallet).toBe(paid > 0n)
})

test('players who buy from each other concurrently never deadlock', async ({ world }) => {
  const [a, b] = [
    await world.player({ deposited: 10_000_000 }),
    await world.player({ deposited: 10_000_000 }),
  ]
  const give = async (player: TestPlayer) => {
    const parcelId = nextFreeParcel()
    await world.buy(player, parcelId)
    return parcelId
  }
  const parcels = [await give(a), await give(b)]
  // The database repeats a transaction that Postgres has ended because of a deadlock.
  let tries = 0
  const counted: TestWorld = {
    ...world,
    db: {
      ...world.db,
      transaction: (work) =>
        world.db.transaction((tx) => {
          tries += 1
          return work(tx)
        }),
    },
  }
  for (let round = 0; round < 20; round++) {
    const owners = await Promise.all(parcels.map((parcelId) => ownerOf(world, parcelId)))
    const of = (wallet: string | undefined) => (wallet === a.wallet ? a : b)
    const other = (player: TestPlayer) => (player === a ? b : a)
    const listings = await Promise.all(
      parcels.map(async (parcelId, at) => replyOf(await list(world, of(owners[at]), parcelId, 100)).listing),
    )
    const answers = await Promise.all(
      listings.map((listing, at) => buy(counted, other(of(owners[at])), listing.id)),
    )
    expect(answers.map(codeOf)).toEqual(['done', 'done'])
  }
  expect(tries).toBe(40)
})

test('a parcel that cannot be listed is refused', async ({ world }) => {
  const { owner, parcelId } = await landowner(world)
  const stranger = await world.player()
  expect(codeOf(await list(world, stranger, parcelId, 5))).toBe('parcel_not_yours')
  expect(codeOf(await list(world, owner, 'EU-ZZ', 5))).toBe('parcel_not_found')
  expect(codeOf(await list(world, owner, PARCELS.at(-1)!.parcelId, 5))).toBe('parcel_not_yours')
  await list(world, owner, parcelId, 5)
  expect(codeOf(await list(world, owner, parcelId, 5))).toBe('already_listed')
})

test('a listing that cannot be bought or cancelled is refused and costs nothing (S-81)', async ({
  world,
}) => {
  const { owner, listingId } = await listed(world, 1_000)
  const [poor, stranger] = [await world.player({ deposited: 999 }), await world.player({ deposited: 5_000 })]
  expect(codeOf(await buy(world, owner, listingId))).toBe('own_listing')
  expect((await buy(world, poor, listingId)).refusal).toEqual({
    code: 'not_enough_credit',
    facts: { required: '1,000', available: '999' },
  })
  expect((await buy(world, stranger, listingId, { expectedPrice: cotton(999) })).refusal).toEqual({
    code: 'price_moved',
    facts: { newPrice: 1_000 },
  })
  expect(codeOf(await buy(world, stranger, NO_LISTING))).toBe('listing_not_found')
  expect(codeOf(await cancel(world, stranger, NO_LISTING))).toBe('listing_not_found')
  expect(codeOf(await cancel(world, stranger, listingId))).toBe('listing_not_yours')
  await cancel(world, owner, listingId)
  expect(codeOf(await cancel(world, owner, listingId))).toBe('listing_gone')
  expect(codeOf(await buy(world, stranger, listingId))).toBe('listing_gone')
  expect(await world.balance(stranger)).toBe(cotton(5_000))
})

test('a listing whose seller no longer owns the land sells nothing', async ({ world }) => {
  const { owner, parcelId, listingId } = await listed(world, 1_000)
  const [newOwner, buyer] = [await world.player(), await world.player({ deposited: 1_000 })]
  const move = sql({
    name: 'test-move-land',
    params: { parcelId: 'text', wallet: 'text' },
    text: ({ parcelId, wallet }) => `update land set wallet = ${wallet} where parcel_id = ${parcelId}`,
  })
  await world.db.rows(move, { parcelId, wallet: newOwner.wallet })
  expect(codeOf(await buy(world, buyer, listingId))).toBe('listing_gone')
  expect(await world.balance(buyer)).toBe(cotton(1_000))
  await world.db.rows(move, { parcelId, wallet: owner.wallet })
})

test('a repeated key buys once and gets the stored response', async ({ world }) => {
  const { listingId } = await listed(world, 1_000)
  const buyer = await world.player({ deposited: 5_000 })
  const key = keyFor('/api/marketplace/purchase', 'once-and-again', { listingId })
  const answers = await Promise.all(Array.from({ length: 20 }, () => buy(world, buyer, listingId, { key })))
  expect(answers.map(codeOf)).toEqual(Array.from({ length: 20 }, () => 'done'))
  expect(await world.balance(buyer)).toBe(cotton(4_000))
})

test('the market opens automatically when all land is sold, and the operator can override it (A-22)', async ({
  world,
}) => {
  const { owner, parcelId } = await landowner(world)
  const inMode = async (mode: 'auto' | 'closed') =>
    codeOf(await list(world, owner, parcelId, 5, createMarket(mode)))
  expect(await inMode('closed')).toBe('market_closed')
  expect(await inMode('auto')).toBe('market_closed')
  const exclude = sql({
    name: 'test-exclude-the-rest',
    params: { parcelIds: 'text[]' },
    text: ({ parcelIds }) =>
      `update continents c set excluded = array(
         select p from unnest(${parcelIds}) as p where left(p, 2) = c.code and p not in (select parcel_id from land))`,
  })
  await world.db.rows(exclude, { parcelIds: PARCELS.map((parcel) => parcel.parcelId) })
  expect(await inMode('auto')).toBe('done')
  await world.db.rows(sql({ name: 'test-exclude-nothing', text: `update continents set excluded = '{}'` }))
})

test('a closed market says that it is closed, also about land and listings that do not exist', async ({
  world,
}) => {
  const market = createMarket('closed')
  const player = await world.player()
  expect(codeOf(await list(world, player, 'EU-ZZ', 5, market))).toBe('market_closed')
  expect(codeOf(await buy(world, player, NO_LISTING, { market }))).toBe('market_closed')
})

test('a listing states the last price paid for its land, before and after it is sold', async ({ world }) => {
  const { owner, parcelId, listingId } = await listed(world, 7_000)
  const [first] = (await readSalesOf(world.db, { parcelId })).sales
  const buyer = await world.player({ deposited: 7_000 })
  await buy(world, buyer, listingId)
  // A cancelled listing is no sale.
  await cancel(world, buyer, replyOf(await list(world, buyer, parcelId, 1)).listing.id)
  const again = replyOf(await list(world, buyer, parcelId, 9_000)).listing
  expect(again).toMatchObject({ displayPrice: 9_000, lastPrice: 7_000 })
  expect(await readActiveListings(world.db)).toContainEqual(expect.objectContaining({ ...again }))
  const ofSeller = (wallet: string) => readListingsOf(world.db, { wallet, reader: wallet })
  await buy(world, owner, again.id)
  expect((await ofSeller(owner.wallet)).listings).toMatchObject([{ lastPrice: first!.price }])
  expect((await ofSeller(buyer.wallet)).listings).toMatchObject([{ status: 'sold', lastPrice: 7_000 }])
})

test('the buyer of a listing is visible to its two parties only (A-21)', async ({ world }) => {
  const { owner, listingId } = await listed(world, 1_000)
  const active = await listed(world, 2_000)
  const buyer = await world.player({ deposited: 1_000 })
  await buy(world, buyer, listingId)
  const own = await readListingsOf(world.db, { wallet: owner.wallet, reader: owner.wallet })
  expect(own.listings[0]).toMatchObject({
    status: 'sold',
    buyerWalletAddress: buyer.wallet,
  })
  expect((await readListingsOf(world.db, { wallet: owner.wallet, reader: null })).listings).toEqual([])
  const shown = await readActiveListings(world.db)
  expect(shown.map((listing) => listing.id)).toContain(active.listingId)
  expect(JSON.stringify(shown)).not.toContain(buyer.wallet)
})

test('a sold listing shows its buyer and date to its two parties and to nobody else (A-21)', () => {
  const seenBy = (reader: string | null) => {
    const { buyerWalletAddress, purchaseDate } = listingOnWire(SOLD, reader)
    return [buyerWalletAddress, purchaseDate]
  }
  const all = ['buyer', '1970-01-01T00:00:00.001Z']
  const nothing = [null, null]
  expect(['seller', 'buyer', 'other', null].map(seenBy)).toEqual([all, all, nothing, nothing])
})

test('a listing of land that the world does not have is a bug', () => {
  expect(() => listingOnWire({ ...SOLD, parcelId: 'EU-ZZ' }, null)).toThrow('Bug: the world knows EU-ZZ')
})

test('no sequence of one player’s listings, cancels and purchases creates credit', async ({ world }) => {
  const wallets = [await world.player({ deposited: 100_000 }), await world.player({ deposited: 100_000 })]
  const { owner, parcelId } = await landowner(world)
  const players = [owner, ...wallets]
  const total = async () =>
    (await Promise.all(players.map((player) => world.balance(player)))).reduce((a, b) => a + b, 0n)
  const step = fc.record({
    who: fc.nat(2),
    price: fc.integer({ min: 1, max: 50_000 }),
    cancels: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const before = await total()
      for (const { who, price, cancels } of steps) {
        const holder = await ownerOf(world, parcelId)
        const seller = players.find((player) => player.wallet === holder)!
        const offer = await list(world, seller, parcelId, price)
        if (!offer.reply) continue
        if (cancels) await cancel(world, seller, offer.reply.listing.id)
        else if (codeOf(await buy(world, players[who]!, offer.reply.listing.id)) !== 'done') {
          await cancel(world, seller, offer.reply.listing.id)
        }
      }
      expect(await total()).toBeLessThanOrEqual(before)
    }),
    { numRuns: 15 },
  )
})
