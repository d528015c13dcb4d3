import { expect } from 'vitest'
import { CONTINENTS } from '#game/continents.ts'
import { PARCELS } from '#game/world.ts'
import { replyOf } from '#server/platform/answer.ts'
import { sql } from '#server/platform/db/db.ts'
import { delayReads } from '#tests/support/delay-reads.ts'
import { readFrame } from '#tests/support/read-frame.ts'
import { type TestPlayer } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { buyParcels } from './buy-parcels.ts'
import { type LandView, openLandView } from './land-view.ts'

const free = PARCELS.filter((parcel) => parcel.regionId === 'EU').map((parcel) => parcel.parcelId)

const buy = async (world: TestWorld, { wallet }: TestPlayer, parcelId = free.shift()!) => {
  const buys = [{ wallet, parcelId, expectedPrice: null, key: null }]
  return replyOf((await world.db.transaction((tx) => buyParcels(tx, buys, world.clock)))[0]!)
}

const exclude = sql({
  name: 'test-exclude-land',
  params: { ids: 'text[]' },
  text: ({ ids }) => `update continents set excluded = ${ids} where code = 'EU'`,
})

/** Writes the table to another file, as a restore does. */
const moveContinents = sql({ name: 'test-move-continents', text: 'vacuum full continents' })

/** Everything that a view serves. */
const contentOf = (view: LandView): unknown[] => [
  view.stats().payload,
  String(view.pricesFrame()),
  ...CONTINENTS.flatMap((code) => [
    view.prices(code).payload,
    String(view.parcels(code).payload),
    String(view.statusFrame(code)),
    String(view.updateFrame(code)),
  ]),
]

test('a view that applies each sale equals one that reading it', async ({ world }) => {
  const player = await world.player({ deposited: 50_000_000 })
  const [applying, reading] = [await openLandView(world.db), await openLandView(world.db)]
  for (let sale = 0; sale < 5; sale++) {
    // Encodings computed between two sales must not outlive the next sale.
    const before = contentOf(applying)
    expect(applying.applySale(await buy(world, player))).toEqual(['prices', 'continent:EU'])
    expect(await reading.refresh()).toEqual(['prices', 'continent:EU'])
    expect(contentOf(applying)).toEqual(contentOf(reading))
    expect(contentOf(applying)).not.toEqual(before)
  }
  expect(await applying.refresh()).toEqual([])
})

test('a known sale changes nothing; one after unknown changes has to be read', async ({ world }) => {
  const player = await world.player({ deposited: 50_000_000 })
  const [view, reading] = [await openLandView(world.db), await openLandView(world.db)]
  const [first, second] = [await buy(world, player), await buy(world, player)]
  expect(view.applySale(second)).toBeNull()
  await view.refresh()
  expect([view.applySale(first), view.applySale(second)]).toEqual([[], []])
  await reading.refresh()
  expect(contentOf(view)).toEqual(contentOf(reading))
})

test('a change applied during a read is not undone by the older rows', async ({ world }) => {
  const player = await world.player({ deposited: 50_000_000 })
  let whileReading = async () => {}
  const [view, reading] = [
    await openLandView(delayReads(world.db, () => whileReading())),
    await openLandView(world.db),
  ]
  const first = await buy(world, player)
  whileReading = async () => {
    const second = await buy(world, player)
    expect([view.applySale(first), view.applySale(second)]).not.toContain(null)
  }
  expect(await view.refresh()).toEqual([])
  await reading.refresh()
  expect(contentOf(view)).toEqual(contentOf(reading))
})

test('rows that are newer than a change applied during their read count', async ({ world }) => {
  const player = await world.player({ deposited: 50_000_000 })
  let whileReading = () => {}
  const [view, reading] = [
    await openLandView(delayReads(world.db, async () => whileReading())),
    await openLandView(world.db),
  ]
  const first = await buy(world, player)
  await buy(world, player)
  whileReading = () => expect(view.applySale(first)).toEqual(['prices', 'continent:EU'])
  expect(await view.refresh()).toEqual(['prices', 'continent:EU'])
  await reading.refresh()
  expect(contentOf(view)).toEqual(contentOf(reading))
})

test('what another database has at a known version is read, and raised above the versions that were lost', async ({
  world,
}) => {
  const player = await world.player({ deposited: 50_000_000 })
  const [view, other] = [await openLandView(world.db), await openLandView(world.db)]
  const lostVersion = view.stats().reply.EU.version + 1
  const lost = { parcelId: free.shift()!, owned: true as const, ownerWallet: player.wallet, pricePaid: 1 }
  for (const each of [view, other])
    each.applySale({ parcel: lost, newContinentPrice: 2, version: lostVersion })
  await world.db.rows(moveContinents)
  const sold = await buy(world, player)
  expect(sold.version).toBe(lostVersion)
  expect(view.applySale(sold)).toEqual([])
  expect(await view.refresh()).toEqual(expect.arrayContaining(['prices', 'continent:EU']))
  expect(view.stats().reply.EU.version).toBeGreaterThan(lostVersion)
  expect(contentOf(view)).toEqual(contentOf(await openLandView(world.db)))

  await other.refresh()
  await view.refresh()
  expect(contentOf(other)).toEqual(contentOf(view))
  expect([await view.refresh(), await other.refresh()]).toEqual([[], []])
})

test('excluded land is shown only if somebody owns it', async ({ world }) => {
  const player = await world.player({ deposited: 50_000_000 })
  const { parcel } = await buy(world, player)
  const excluded = [parcel.parcelId, free.shift()!]
  const before = (await openLandView(world.db)).parcels('EU').reply
  await world.db.rows(exclude, { ids: excluded })
  const { reply } = (await openLandView(world.db)).parcels('EU')
  expect(reply).toEqual(before.filter((each) => each.parcelId !== excluded[1]))
  expect(reply).toContainEqual(expect.objectContaining({ parcelId: parcel.parcelId, owned: true }))
  expect(reply).toContainEqual(
    expect.objectContaining({ parcelId: free[0], owned: false, ownerWallet: null }),
  )
  await world.db.rows(exclude, { ids: [] })
})

test('the frames of land name each parcel, its owner, the price and the version', async ({ world }) => {
  const player = await world.player({ deposited: 50_000_000 })
  const { parcel, version, newContinentPrice } = await buy(world, player)
  const view = await openLandView(world.db)
  const { owned, total } = view.stats().reply.EU
  const status = readFrame(view.statusFrame('EU'))
  expect(status).toEqual({
    type: 'parcelStatus',
    data: { continentCode: 'EU', total, owned, parcels: expect.any(Array), version },
  })
  const parcels = (status.data as { parcels: { owned: boolean }[] }).parcels
  expect(parcels).toContainEqual({ parcelId: parcel.parcelId, owned: true, ownerWallet: player.wallet })
  expect(parcels).toContainEqual({ parcelId: free[0], owned: false, ownerWallet: null })
  expect(parcels.filter((each) => each.owned)).toHaveLength(owned)
  expect(readFrame(view.updateFrame('EU'))).toEqual({
    type: 'parcelUpdate',
    data: { regionId: 'EU', version },
  })
  expect(readFrame(view.pricesFrame())).toEqual({
    type: 'continentPrices',
    data: expect.arrayContaining([{ continentCode: 'EU', currentPrice: newContinentPrice, version }]),
  })
})
