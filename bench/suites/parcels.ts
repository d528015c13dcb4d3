// The world is made of a table that this one makes longer.
import '../parcels/widen-land.ts'
import { purchaseParcel } from '#contract/parcels.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { expectCleanLedger, openBooks } from '../books.ts'
import { openHotRow } from '../hot-row.ts'
import { buyBare } from '../parcels/buy-bare.ts'
import { buyOnce } from '../parcels/buy-once.ts'
import { seedBuyers, type Wish } from '../parcels/buyers.ts'
import { LAND, PRICE_ROW } from '../parcels/continent.ts'
import { openLand } from '../parcels/sell-land.ts'
import { seeEverybody, settle } from '../players.ts'
import { keyOn } from '../requests.ts'
import { takeTurns } from '../rounds.ts'
import { openSaleWays, openShop, reachOf, type Sale, type SaleTurn } from '../sales.ts'
import { type Course, type Measured, suiteOf } from '../suite.ts'

const LANES = [1, 32, 128, 512]
/** A hot row gives no more to more of them. */
const ONCE = 8
const ONE_STATEMENT = `one statement each by node-postgres, ${ONCE} at once`

/** Acknowledged purchases a second on one continent, whose price every one of them reads and moves. */
export const parcels = suiteOf('Parcels of one continent beside one statement each', measure)

async function measure(course: Course): Promise<Measured> {
  const { quick, say, closers } = course
  const { ownerUrl, apiUrl, fsyncMs } = await startBenchPostgres({ closers })
  await seedBuyers(ownerUrl)
  const owner = openBooks(ownerUrl, { closers })
  const land = await openLand(owner)
  const seconds = quick ? 1 : 2
  const { bare, db, gathering } = openShop(apiUrl, { closers })

  const fields: Sale<Wish> = {
    sell: land.sell,
    once: {
      name: ONE_STATEMENT,
      run: () => land.sell({ lanes: ONCE, seconds }, (wish) => buyOnce(bare, wish)),
    },
    buyBare: (wish) => buyBare(bare, wish),
    buyGathered: gathering(buyParcels, ({ wallet, parcelId }: Wish) => ({
      wallet,
      parcelId,
      expectedPrice: null,
      key: keyOn(purchaseParcel.path),
    })),
    path: purchaseParcel.path,
    ask: ({ player, wallet, parcelId }) => ({ player, asked: { parcelId, walletAddress: wallet } }),
    lanes: LANES,
  }
  for (const buy of [fields.buyBare, fields.buyGathered, (wish: Wish) => buyOnce(bare, wish)]) {
    await land.expectSteps(32, buy)
  }
  const hot = await openHotRow({ row: PRICE_ROW, apiUrl, owner, db, bare, seconds }, course)
  const widened = ['--import', new URL('../parcels/widen-land.ts', import.meta.url).href]
  const ways = [
    ...(await openSaleWays(fields, { apiUrl, owner, seconds, execArgv: widened }, { closers })),
    ...hot.ways,
  ]
  await settle(ownerUrl)
  await takeTurns<SaleTurn>(ways, {
    rounds: quick ? 2 : 5,
    say,
    settle: () => seeEverybody(ownerUrl),
    audit: () => expectCleanLedger(owner),
  })
  return {
    base: ONE_STATEMENT,
    unit: 'purchases',
    ways: ways.map(({ way }) => way),
    reach: [...reachOf(ONE_STATEMENT, 512, { overOnce: 15, overBare: 75 }), ...hot.reach],
    facts: {
      'Parcels of the continent': LAND.length,
      'One 8 kB write and fsync on this disk': `${fsyncMs.toFixed(2)} ms`,
      'Purchases acknowledged, each with its owner, its step of the price and its charge': land.count(),
      'Of these, such as had to wait until land was given back': land.waits(),
    },
  }
}
