import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { CONTINENTS } from '#game/continents.ts'
import { PARCELS } from '#game/world.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { type LandView, openLandView } from '#server/parcels/land-view.ts'
import { replyOf } from '#server/platform/answer.ts'
import { delayReads } from '#tests/support/delay-reads.ts'
import type { TestPlayer } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { buyListings } from './buy-listings.ts'
import { listParcels } from './list-parcels.ts'
import { type ListingView, openListingView } from './listing-view.ts'
import { createMarket } from './market-mode.ts'

const OPEN = createMarket('open')
const free = PARCELS.filter(({ regionId }) => regionId === 'AF').map(({ parcelId }) => parcelId)

/** Lists parcels and returns the ids of the listings. */
async function offers(world: TestWorld, count: number): Promise<string[]> {
  const { wallet } = await world.player({ deposited: 100_000_000 })
  const ids = free.splice(0, count)
  const bought = ids.map((parcelId) => ({ wallet, parcelId, expectedPrice: null, key: null }))
  const offered = ids.map((parcelId) => ({ wallet, parcelId, price: cotton(5), key: null }))
  const deps = { clock: world.clock, market: OPEN }
  const answers = await world.db.transaction(async (tx) => {
    await buyParcels(tx, bought, world.clock)
    return listParcels(tx, offered, deps)
  })
  return answers.map((answer) => replyOf(answer).listing.id)
}

async function buy(world: TestWorld, { wallet }: TestPlayer, listingIds: readonly string[]) {
  const purchases = listingIds.map((listingId) => ({ wallet, listingId, expectedPrice: null, key: null }))
  const deps = { clock: world.clock, market: OPEN }
  return (await world.db.transaction((tx) => buyListings(tx, purchases, deps))).map(replyOf)
}

const publishedOfMarket = (view: ListingView) => [String(view.listings().payload), String(view.frame())]

const publishedOfLand = (view: LandView) => [
  view.stats().payload,
  ...CONTINENTS.flatMap((code) => [String(view.parcels(code).payload), String(view.statusFrame(code))]),
]

test('views that apply each resale equal views that read it', async ({ world }) => {
  const ids = await offers(world, 5)
  const buyer = await world.player({ deposited: 1_000 })
  const [market, land] = [await openListingView(world.db, OPEN), await openLandView(world.db)]
  const [readMarket, readLand] = [await openListingView(world.db, OPEN), await openLandView(world.db)]
  for (const batch of [ids.slice(0, 1), ids.slice(1, 4), ids.slice(4)]) {
    // Encodings computed between two sales must not outlive the next sale.
    const before = [...publishedOfMarket(market), ...publishedOfLand(land)]
    const replies = await buy(world, buyer, batch)
    for (const [at, { parcelId, version }] of replies.entries()) {
      expect(market.applyRemoval(batch[at]!)).toEqual(['market'])
      expect(land.applyOwnerChange({ parcelId, owner: buyer.wallet, version })).toEqual([
        'prices',
        'continent:AF',
      ])
    }
    expect(await readMarket.refresh()).toEqual(['market'])
    expect(await readLand.refresh()).toEqual(['prices', 'continent:AF'])
    const now = [...publishedOfMarket(market), ...publishedOfLand(land)]
    expect(now).toEqual([...publishedOfMarket(readMarket), ...publishedOfLand(readLand)])
    expect(now).not.toEqual(before)
  }
  expect([await market.refresh(), await land.refresh()]).toEqual([[], []])
})

test('a listing removed during a read stays removed, and a new one appears', async ({ world }) => {
  const [first, second] = await offers(world, 2)
  const buyer = await world.player({ deposited: 1_000 })
  let whileReading = async () => {}
  const view = await openListingView(
    delayReads(world.db, () => whileReading()),
    OPEN,
  )
  let third = ''
  whileReading = async () => {
    whileReading = async () => {}
    await buy(world, buyer, [first!])
    view.applyRemoval(first!)
    ;[third = ''] = await offers(world, 1)
  }
  await view.refresh()
  expect(idsIn(view)).not.toContain(first)
  expect(idsIn(view)).toContain(second)
  expect(await view.refresh()).toEqual(['market'])
  expect(idsIn(view)).toEqual(expect.arrayContaining([second, third]))
  expect(idsIn(view)).not.toContain(first)
})

test('a listing removed before the view reads it is never shown', async ({ world }) => {
  const view = await openListingView(world.db, OPEN)
  const [id] = await offers(world, 1)
  await buy(world, await world.player({ deposited: 1_000 }), [id!])
  expect(view.applyRemoval(id!)).toEqual([])
  expect(await view.refresh()).toEqual([])
})

test('a listing that takes the place of a sold one is a change', async ({ world }) => {
  const [sold] = await offers(world, 1)
  const view = await openListingView(world.db, OPEN)
  await buy(world, await world.player({ deposited: 1_000 }), [sold!])
  const [listed] = await offers(world, 1)
  expect(await view.refresh()).toEqual(['market'])
  expect(idsIn(view)).toContain(listed)
  expect(idsIn(view)).not.toContain(sold)
})

test('a removed listing that is still active in the database is shown again by the next read', async ({
  world,
}) => {
  const [id] = await offers(world, 1)
  const view = await openListingView(world.db, OPEN)
  expect(view.applyRemoval(id!)).toEqual(['market'])
  expect(idsIn(view)).not.toContain(id)
  expect(await view.refresh()).toEqual(['market'])
  expect(idsIn(view)).toContain(id)
})

test('a resale after unknown changes, or one without a version, has to be read', async ({ world }) => {
  const ids = await offers(world, 2)
  const buyer = await world.player({ deposited: 1_000 })
  const view = await openLandView(world.db)
  const [, second] = await buy(world, buyer, ids)
  const { parcelId, version } = second!
  const change = { parcelId, owner: buyer.wallet }
  expect(view.applyOwnerChange({ ...change, version })).toBeNull()
  expect(view.applyOwnerChange({ ...change, version: undefined as unknown as number })).toBeNull()
})

const idsIn = (view: ListingView): string[] => view.listings().reply.listings.map(({ id }) => id)
