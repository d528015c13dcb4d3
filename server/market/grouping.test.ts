import fc from 'fast-check'
import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { PARCELS } from '#game/world.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import type { Answer } from '#server/platform/answer.ts'
import { rowOf, sql, type Tx } from '#server/platform/db/db.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { buyListings } from './buy-listings.ts'
import { cancelListings } from './cancel-listings.ts'
import { listParcels } from './list-parcels.ts'
import { createMarket } from './market-mode.ts'

type Step = { what: 'offer' | 'buy' | 'cancel'; who: number; land: number; price: number }

// The initial credit of the three players, and the owner of each of the four parcels.
const DEPOSITS = [700_000, 300_000, 200_000]
const OWNERS = [0, 0, 1, 2]
const NO_LISTING = '00000000-0000-7000-8000-000000000000'

const LAND = PARCELS.slice(0, OWNERS.length).map((parcel) => parcel.parcelId)

// Listings and cancels come mostly from the first owner. Those of others are refused.
const step: fc.Arbitrary<Step> = fc
  .record({
    what: fc.constantFrom('offer', 'buy', 'cancel'),
    who: fc.nat(2),
    land: fc.nat(3),
    price: fc.constantFrom(1, 40_000, 90_000),
    isOwner: fc.boolean(),
  })
  .map(({ isOwner, ...each }) =>
    isOwner && each.what !== 'buy' ? { ...each, who: OWNERS[each.land]! } : each,
  )

test('the same offers, purchases and cancels in any grouping give the same answers, owners and credit', async ({
  world,
}) => {
  const steps = fc.array(step, { minLength: 6, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 2, max: 8 }), async (steps, size) => {
      expect(await play(world, steps, size)).toEqual(await play(world, steps, 1))
    }),
    { numRuns: 60 },
  )
})

/** Runs the steps in batches of at most this size, with new players on freshly sold land. */
async function play(world: TestWorld, steps: readonly Step[], size: number) {
  const { db, clock } = world
  const players = await Promise.all(DEPOSITS.map((deposited) => world.player({ deposited })))
  await db.rows(sql({ name: 'test-clear-listings', text: 'delete from listings' }))
  await db.rows(sql({ name: 'test-clear-land', text: 'delete from land' }))
  await db.rows(
    sql({ name: 'test-reset', text: 'update continents set price = start_price, owned = 0, version = 0' }),
  )
  const bought = OWNERS.map((who, at) => ({
    wallet: players[who]!.wallet,
    parcelId: LAND[at]!,
    expectedPrice: null,
    key: null,
  }))
  await db.transaction((tx) => buyParcels(tx, bought, clock))

  const market = { clock, market: createMarket('open') }
  const listings = new Map<number, string>()
  const named = (each: Step) => ({
    wallet: players[each.who]!.wallet,
    listingId: listings.get(each.land) ?? NO_LISTING,
    key: null,
  })
  const acts: Record<Step['what'], (tx: Tx, batch: readonly Step[]) => Promise<Answer<unknown>[]>> = {
    offer: async (tx, batch) => {
      const offers = batch.map((each) => ({
        wallet: players[each.who]!.wallet,
        parcelId: LAND[each.land]!,
        price: cotton(each.price),
        key: null,
      }))
      const answers = await listParcels(tx, offers, market)
      answers.forEach(({ reply }, at) => reply && listings.set(batch[at]!.land, reply.listing.id))
      return answers
    },
    buy: (tx, batch) =>
      buyListings(
        tx,
        batch.map((each) => ({ ...named(each), expectedPrice: null })),
        market,
      ),
    cancel: (tx, batch) => cancelListings(tx, batch.map(named), clock),
  }

  const said: Answer<unknown>[] = []
  for (const batch of batches(steps, size)) {
    said.push(...(await db.transaction((tx) => acts[batch[0]!.what](tx, batch))))
  }
  const owners = await db.rows(
    sql({
      name: 'test-owners',
      row: rowOf<{ parcel_id: string; wallet: string }>(),
      text: 'select parcel_id, wallet from land order by parcel_id',
    }),
  )
  const credits = await Promise.all(players.map((player) => world.credit(player)))
  return withoutNames(
    { said, owners, credits },
    players.map((player) => player.wallet),
  )
}

/** Groups consecutive steps of one kind, up to this size. */
function batches(steps: readonly Step[], size: number): Step[][] {
  const found: Step[][] = []
  for (const each of steps) {
    const last = found.at(-1)
    if (last && last[0]!.what === each.what && last.length < size) last.push(each)
    else found.push([each])
  }
  return found
}

/** Every run has new players and listings, so their ids are replaced by their order. */
function withoutNames(world: unknown, names: readonly string[]): unknown {
  let text = JSON.stringify(world, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  names.forEach((name, at) => (text = text.replaceAll(name, `#${at}`)))
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id'))
}
