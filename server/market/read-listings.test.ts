import { expect } from 'vitest'
import { replyOf } from '#server/platform/answer.ts'
import { sql } from '#server/platform/db/db.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { buy, landowner, list, listed, nextFreeParcel } from '#tests/support/trade-land.ts'
import { readListingsOf, readSalesOf } from './read-listings.ts'

const SALES = 250

/**
 * Adds past sales of a parcel at 1, 2, 3, … $COTTON, a second apart. What was sold last was listed first. Their journal ids
 * ascend with time like real ones, but the journals do not exist.
 */
const addSales = sql({
  name: 'test-add-sales',
  params: { parcelId: 'text', seller: 'text', buyer: 'text', from: 'timestamptz', count: 'integer' },
  text: ({ parcelId, seller, buyer, from, count }) =>
    `insert into listings (id, parcel_id, seller, price, state, listed_at, buyer, journal_id, closed_at)
     select gen_random_uuid(), ${parcelId}, ${seller}, n * 1000000::bigint, 'sold', ${from} - n * interval '1 s',
       ${buyer}, rpad(lpad(to_hex((extract(epoch from sold_at) * 1000)::bigint), 12, '0') || '70008', 32, '0')::uuid,
       sold_at
     from (select n, ${from} + n * interval '1 s' as sold_at from generate_series(1, ${count}) n) sale`,
})

/** The next free parcel, with 250 sales by its owner. */
async function oftenSold(world: TestWorld) {
  const { owner, parcelId } = await landowner(world)
  const { wallet: seller } = owner
  const { wallet: buyer } = await world.player()
  await world.db.rows(addSales, { parcelId, seller, buyer, from: world.clock.now(), count: SALES })
  world.clock.advance((SALES + 1) * 1_000)
  return { owner, parcelId }
}

/** The whole numbers from `first` to `last`. */
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at)

test('the sales of a parcel come in pages of 200, and the last page begins with the sale by the game', async ({
  world,
}) => {
  // Sales of other land, and an offer that nobody has accepted yet.
  await oftenSold(world)
  const { owner, parcelId } = await oftenSold(world)
  replyOf(await list(world, owner, parcelId, 999))
  const newest = await readSalesOf(world.db, { parcelId })
  expect(newest.sales.map(({ price }) => price)).toEqual(range(51, 250))
  const oldest = await readSalesOf(world.db, { parcelId, before: newest.next! })
  const [first, ...resales] = oldest.sales
  expect(first).toMatchObject({ by: 'game' })
  expect(resales.map(({ price }) => price)).toEqual(range(1, 50))
  expect(oldest.next).toBeNull()
})

test('the sold listings of a player come last sold first, in pages of 100, and active ones on the first only', async ({
  world,
}) => {
  const { owner, parcelId } = await oftenSold(world)
  replyOf(await list(world, owner, parcelId, 999))
  const { wallet } = owner
  const readPage = (before?: string) => readListingsOf(world.db, { wallet, reader: wallet, before })
  const first = await readPage()
  const second = await readPage(first.next!)
  const third = await readPage(second.next!)
  expect([first, second, third].map((page) => page.listings.map((each) => each.displayPrice))).toEqual([
    [999, ...range(151, 250).toReversed()],
    range(51, 150).toReversed(),
    range(1, 50).toReversed(),
  ])
  expect(third.next).toBeNull()
})

test('the listings of a player come last changed first, and others see the active ones only', async ({
  world,
}) => {
  const { owner, parcelId } = await landowner(world)
  const offer = async (id: string): Promise<string> => {
    world.clock.advance(1_000)
    return replyOf(await list(world, owner, id, 10)).listing.id
  }
  const buyAndOffer = async () => {
    const id = nextFreeParcel()
    await world.buy(owner, id)
    return offer(id)
  }
  const [oldest, sold, newest] = [await offer(parcelId), await buyAndOffer(), await buyAndOffer()]
  world.clock.advance(1_000)
  replyOf(await buy(world, await world.player({ deposited: 10 }), sold))
  const idsFor = async (reader: string | null) => {
    const { listings } = await readListingsOf(world.db, { wallet: owner.wallet, reader })
    return listings.map(({ id }) => id)
  }
  expect(await idsFor(owner.wallet)).toEqual([sold, newest, oldest])
  expect(await idsFor(null)).toEqual([newest, oldest])
})

test('a listing that is sold while the listings of its seller are read is in them once, as sold', async ({
  world,
}) => {
  const { owner, listingId } = await listed(world, 10)
  const buyer = await world.player({ deposited: 10 })
  const sold = Promise.withResolvers<void>()
  const db = interceptStatements(world.db, async ({ name }, run) => {
    if (name !== 'listings-read-active-of') {
      await sold.promise
      return run()
    }
    const read = await run()
    replyOf(await buy(world, buyer, listingId))
    sold.resolve()
    return read
  })
  const { listings } = await readListingsOf(db, { wallet: owner.wallet, reader: owner.wallet })
  expect(listings.map(({ id, status }) => ({ id, status }))).toEqual([{ id: listingId, status: 'sold' }])
})
