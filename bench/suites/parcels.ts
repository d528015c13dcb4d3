// First: the world is made of a table that this one makes longer.
import { WIDENED } from '../widen-land.ts'
import { purchaseParcel } from '#contract/parcels.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { expectCleanLedger, openBooks } from '../books.ts'
import { openHotRow } from '../hot-row.ts'
import { buyBare } from '../parcels/buy-bare.ts'
import { BUY_SCRIPT } from '../parcels/buy-script.ts'
import { BUYERS, seedBuyers, type Wish } from '../parcels/buyers.ts'
import { LAND, PRICE_ROW } from '../parcels/continent.ts'
import { openLand } from '../parcels/sell-land.ts'
import { type Clients, findBestClients, pgbenchRunning } from '../pgbench.ts'
import { seeEverybody, settle } from '../players.ts'
import { keyOn } from '../requests.ts'
import { takeTurns } from '../rounds.ts'
import { openSaleWays, openShop, reachOf, type Sale, type SaleTurn } from '../sales.ts'
import { type Course, type Measured, suiteOf } from '../suite.ts'

const LANES = [1, 32, 128, 512]

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
  const script = { apiUrl, script: BUY_SCRIPT, variables: { buyers: BUYERS, n: -1 } }
  const base = pgbenchRunning('one statement each', script, course)
  const once = { name: base.name, run: (load: Clients) => land.sellBy(base, load) }
  const clients = await findBestClients(once, quick ? [2, 8] : [1, 2, 4, 8, 16])
  say(`The base is ${once.name} with ${clients} clients, the best of those tried.`)

  const fields: Sale<Wish> = {
    sell: land.sell,
    once: { name: once.name, run: () => once.run({ clients, seconds }) },
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
  for (const buy of [fields.buyBare, fields.buyGathered]) await land.expectSteps(32, buy)
  await land.expectStepsBy(base, 32)
  const hot = await openHotRow({ row: PRICE_ROW, apiUrl, owner, db, bare, seconds }, course)
  const ways = [
    ...(await openSaleWays(fields, { apiUrl, owner, seconds, execArgv: WIDENED }, { closers })),
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
    base: once.name,
    unit: 'purchases',
    ways: ways.map(({ way }) => way),
    reach: [...reachOf(once.name, 512, { overOnce: 15, overBare: 75 }), ...hot.reach],
    facts: {
      'Parcels of the continent': LAND.length,
      'Clients of the base': clients,
      'One 8 kB write and fsync on this disk': `${fsyncMs.toFixed(2)} ms`,
      'Purchases acknowledged, each with its owner, its step of the price and its charge': land.count(),
      'Of these, such as had to wait until land was given back': land.waits(),
      'Tries of the base that found their parcel sold, and are not counted': land.misses(),
    },
  }
}
