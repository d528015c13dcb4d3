import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { freezeWallet } from '#server/freeze/freeze-wallet.ts'
import { test } from '#tests/support/test-world.ts'
import { codeOf, landowner, listed, OPEN_MARKET } from '#tests/support/trade-land.ts'
import { buyListings } from './buy-listings.ts'
import { listParcels } from './list-parcels.ts'

test('in a batch, the second buyer of a listing finds it gone, whatever price they expect', async ({
  world,
}) => {
  const { listingId } = await listed(world, 1_000)
  const players = [await world.player({ deposited: 1_000 }), await world.player({ deposited: 1_000 })]
  const purchases = players.map(({ wallet }, at) => ({
    wallet,
    listingId,
    expectedPrice: cotton(1_000 - at),
    key: null,
  }))
  const deps = { clock: world.clock, market: OPEN_MARKET }
  const answers = await world.db.transaction((tx) => buyListings(tx, purchases, deps))
  expect(answers.map(codeOf)).toEqual(['done', 'listing_gone'])
})

test('in a batch, the second offer of a parcel is refused', async ({ world }) => {
  const { owner, parcelId } = await landowner(world)
  const offers = [5, 6].map((price) => ({ wallet: owner.wallet, parcelId, price: cotton(price), key: null }))
  const deps = { clock: world.clock, market: OPEN_MARKET }
  const answers = await world.db.transaction((tx) => listParcels(tx, offers, deps))
  expect(answers.map(codeOf)).toEqual(['done', 'already_listed'])
})

test('in a batch, the listing of a frozen seller is refused and the others are sold', async ({ world }) => {
  const [frozen, other] = [await listed(world, 1_000), await listed(world, 1_000)]
  const { wallet } = frozen.owner
  await world.db.transaction((tx) =>
    freezeWallet(tx, { wallet, reason: 'A test.', who: 'ana', now: world.clock.now() }),
  )
  const buyer = await world.player({ deposited: 5_000 })
  const purchases = [frozen, other].map(({ listingId }) => ({
    wallet: buyer.wallet,
    listingId,
    expectedPrice: null,
    key: null,
  }))
  const deps = { clock: world.clock, market: OPEN_MARKET }
  const answers = await world.db.transaction((tx) => buyListings(tx, purchases, deps))
  expect(answers.map(codeOf)).toEqual(['listing_suspended', 'done'])
  expect(await world.balance(buyer)).toBe(cotton(4_000))
})
