import { expect } from 'vitest'
import { CONTINENTS } from '#game/continents.ts'
import { PARCELS } from '#game/world.ts'
import { replyOf } from '#server/platform/answer.ts'
import { delayReads } from '#tests/support/delay-reads.ts'
import { type TestPlayer } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { buyParcels } from './buy-parcels.ts'
import { type LandView, openLandView } from './land-view.ts'

const free = PARCELS.filter((parcel) => parcel.regionId === 'EU').map((parcel) => parcel.parcelId)

const buy = async (world: TestWorld, { wallet }: TestPlayer, parcelId = free.shift()!) => {
  const asked = [{ wallet, parcelId, expectedPrice: null, key: null }]
  return replyOf((await world.db.transaction((tx) => buyParcels(tx, asked, world.clock)))[0]!)
}

/** All that a view tells anybody. */
const told = (view: LandView): unknown[] => [
  view.stats().payload,
  String(view.pricesFrame()),
  ...CONTINENTS.flatMap((code) => [
    view.prices(code).payload,
    String(view.parcels(code).payload),
    String(view.statusFrame(code)),
    String(view.updateFrame(code)),
  ]),
]

test('a view that learns of each sale says what one says that reads it', async ({ world }) => {
  const player = await world.player({ deposited: 50_000_000 })
  const [learns, reads] = [await openLandView(world.db), await openLandView(world.db)]
  for (let sale = 0; sale < 5; sale++) {
    // Forms that were asked for between two sales are not kept beyond the next.
    const before = told(learns)
    expect(learns.applySale(await buy(world, player))).toEqual(['prices', 'continent:EU'])
    expect(await reads.refresh()).toEqual(['prices', 'continent:EU'])
    expect(told(learns)).toEqual(told(reads))
    expect(told(learns)).not.toEqual(before)
  }
  expect(await learns.refresh()).toEqual([])
})

test('a sale that is known already changes nothing; one that others came before is read', async ({
  world,
}) => {
  const player = await world.player({ deposited: 50_000_000 })
  const [view, reads] = [await openLandView(world.db), await openLandView(world.db)]
  const [first, second] = [await buy(world, player), await buy(world, player)]
  expect(view.applySale(second)).toBeNull()
  await view.refresh()
  expect([view.applySale(first), view.applySale(second)]).toEqual([[], []])
  await reads.refresh()
  expect(told(view)).toEqual(told(reads))
})

test('what is learned during a read is not undone by what was read before it', async ({ world }) => {
  const player = await world.player({ deposited: 50_000_000 })
  let whileReading = async () => {}
  const [view, reads] = [
    await openLandView(delayReads(world.db, () => whileReading())),
    await openLandView(world.db),
  ]
  const first = await buy(world, player)
  whileReading = async () => {
    const second = await buy(world, player)
    expect([view.applySale(first), view.applySale(second)]).not.toContain(null)
  }
  expect(await view.refresh()).toEqual([])
  await reads.refresh()
  expect(told(view)).toEqual(told(reads))
})
