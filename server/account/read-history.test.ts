import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { buyListings } from '#server/market/buy-listings.ts'
import { listParcels } from '#server/market/list-parcels.ts'
import { createMarket } from '#server/market/market-mode.ts'
import { replyOf } from '#server/platform/answer.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import type { TestPlayer } from '#tests/support/test-player.ts'
import { readHistory } from './read-history.ts'

const market = createMarket('open')

/** Lists a parcel and sells it to the buyer. */
async function resell(
  { db, clock }: TestWorld,
  { seller, buyer, parcelId }: { seller: TestPlayer; buyer: TestPlayer; parcelId: string },
): Promise<void> {
  const offer = { wallet: seller.wallet, parcelId, price: cotton(1_000), key: null }
  const [listed] = await db.transaction((tx) => listParcels(tx, [offer], { clock, market }))
  const listingId = replyOf(listed!).listing.id
  const purchase = { wallet: buyer.wallet, listingId, expectedPrice: null, key: null }
  const [sold] = await db.transaction((tx) => buyListings(tx, [purchase], { clock, market }))
  replyOf(sold!)
}

test('history names the land, and in a resale the other player, for both sides (X-06)', async ({ world }) => {
  const [ana, bo, cy] = await Promise.all([
    world.player({ deposited: 200_000 }),
    world.player({ deposited: 200_000 }),
    world.player({ deposited: 200_000 }),
  ])
  await world.buy(ana, 'EU-MT')
  await resell(world, { seller: ana, buyer: bo, parcelId: 'EU-MT' })
  await resell(world, { seller: bo, buyer: cy, parcelId: 'EU-MT' })

  const detailsOf = async ({ wallet }: TestPlayer) => {
    const { items } = await readHistory(world.db, { wallet, before: undefined, limit: 10 })
    return items.map(({ kind, amount, detail }) => ({ kind, amount, detail }))
  }
  const malta = { parcelId: 'EU-MT', countryName: 'Malta', regionName: 'Europe' }
  expect(await detailsOf(ana)).toMatchObject([
    { kind: 'resale', amount: 900, detail: { ...malta, counterparty: bo.wallet } },
    { kind: 'parcel', amount: -100_000, detail: malta },
    { kind: 'adjustment' },
  ])
  expect(await detailsOf(bo)).toMatchObject([
    { kind: 'resale', amount: 900, detail: { ...malta, counterparty: cy.wallet } },
    { kind: 'resale', amount: -1_000, detail: { ...malta, counterparty: ana.wallet } },
    {},
  ])
  const [, bought] = await detailsOf(ana)
  expect(bought?.detail).not.toHaveProperty('counterparty')
})

test('a journal about land that the world does not know has no names', async ({ world }) => {
  const ana = await world.player({ deposited: 50_000 })
  await world.hire(ana, 'kid')
  const { items } = await readHistory(world.db, { wallet: ana.wallet, before: undefined, limit: 1 })
  expect(items).toMatchObject([{ kind: 'hire', detail: { workerId: 'kid-0001' } }])
  expect(Object.keys(items[0]!.detail)).toEqual(['workerId'])
})
