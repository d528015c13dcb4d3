import { purchaseParcel } from '#contract/parcels.ts'
import { submitting } from '#server/account/submit.ts'
import { buyParcels, type ParcelBuy } from '#server/parcels/buy-parcels.ts'
import { systemClock } from '#server/platform/clock.ts'
import { openDb } from '#server/platform/db/db.ts'
import { openBarePool } from '../bare.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { expectCleanLedger, openBooks } from '../books.ts'
import { unlessRefused } from '../burst.ts'
import { buyBare } from '../parcels/buy-bare.ts'
import { buyOnce } from '../parcels/buy-once.ts'
import { openBuyers } from '../parcels/buy-over-http.ts'
import { seedBuyers } from '../parcels/buyers.ts'
import { openLandBooks } from '../parcels/land-books.ts'
import { type Buy, LAND, sellOut, type SoldOut } from '../parcels/sell-out.ts'
import { settle } from '../players.ts'
import { keyOn } from '../requests.ts'
import { wayOf } from '../rounds.ts'
import { startBothApis } from '../start-api.ts'
import { quantile } from '../statistics.ts'
import { type Course, type Measured, type Reach, suiteOf, type Way } from '../suite.ts'

const AT_ONCE = [1, 32, 128]
/** A hot row gives no more to more of them. */
const ONCE = 8

/** Acknowledged purchases a second on one continent, whose price every one of them reads and moves. */
export const parcels = suiteOf('Parcels of one continent beside a bare transaction', measure)

const ONE_STATEMENT = `one statement each by node-postgres, ${ONCE} at once`
const WITHOUT_GATHERING = 'over HTTP without gathering, 128 at once'
const overHttp = (lanes: number) => `over HTTP, ${lanes} at once`
const inProcess = (lanes: number) => `in process, ${lanes} at once`
const bareAt = (lanes: number) => `read-then-write by node-postgres, ${lanes} at once`

const REACH: Reach[] = [
  {
    what: '128 at once over HTTP, over one statement each',
    of: overHttp(128),
    over: ONE_STATEMENT,
    atLeast: 15,
  },
  {
    what: '128 at once in process, over read-then-write',
    of: inProcess(128),
    over: bareAt(128),
    atLeast: 75,
  },
  { what: '128 at once in process, over one statement each', of: inProcess(128), over: ONE_STATEMENT },
  {
    what: '128 at once over HTTP, over the same without gathering',
    of: overHttp(128),
    over: WITHOUT_GATHERING,
  },
]

type MeasuredWay = {
  way: Way
  lanes: number
  /** Opens what it buys over, for one round. */
  open(): Promise<{ buy(lane: number): Buy; close(): void }>
}

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  await seedBuyers(postgres.ownerUrl)
  const owner = openBooks(postgres.ownerUrl, { closers })
  const ways = await openWays(postgres.apiUrl, closers)
  const books = await openLandBooks(owner)
  const rounds = quick ? 2 : 5
  const seconds = quick ? 0.4 : 1.5

  let refused = 0
  const sellFor = async (each: MeasuredWay, limit: number): Promise<SoldOut[]> => {
    const buyers = await each.open()
    const courses: SoldOut[] = []
    do {
      const course = await sellOut(buyers.buy, each)
      await books.expectSoldOut(course.sold)
      await books.reset()
      refused += course.refused
      courses.push(course)
    } while (sum(courses.map((course) => course.seconds)) < limit)
    buyers.close()
    return courses
  }
  for (const each of ways) await sellFor(each, 0)
  for (let round = 1; round <= rounds; round++) {
    await settle(postgres.ownerUrl)
    for (const each of ways) {
      const courses = await sellFor(each, seconds)
      const latencies = courses.flatMap((course) => course.latencies)
      each.way.perSecond.push(latencies.length / sum(courses.map((course) => course.seconds)))
      each.way.p50Ms!.push(quantile(latencies, 0.5))
      each.way.p99Ms!.push(quantile(latencies, 0.99))
    }
    const told = ways.map(({ way }) => `${way.name} ${Math.round(way.perSecond.at(-1)!)}`)
    say(`round ${round}/${rounds}: ${told.join('; ')}`)
  }
  await expectCleanLedger(owner)
  return {
    base: ways[0]!.way.name,
    unit: 'purchases',
    ways: ways.map(({ way }) => way),
    reach: REACH,
    facts: {
      'Parcels of the continent, sold out again and again': LAND.length,
      'One 8 kB write and fsync on this disk': `${postgres.fsyncMs.toFixed(2)} ms`,
      'Purchases acknowledged, each with its owner, its step of the price and its charge': books.count(),
      'Requests refused because somebody else had just bought the parcel': refused,
    },
  }
}

async function openWays(apiUrl: string, closers: Course['closers']): Promise<MeasuredWay[]> {
  const bare = openBarePool(apiUrl)
  closers.push(() => bare.end())
  const db = openDb(apiUrl, { max: 10, applicationName: 'bench-buyers' })
  closers.push(() => db.end())
  const submitBuy = submitting({ db, clock: systemClock }, buyParcels)
  const api = await startBothApis({ apiUrl, closers })
  const way = (name: string, lanes: number): Way => wayOf(name, bareAt(lanes))
  const buyOneBare: Buy = async (wish) => ((await buyBare(bare, wish)) ? wish : null)
  const buyOneOnce: Buy = async (wish) => ((await buyOnce(bare, wish)) ? wish : null)
  const here = (buy: Buy) => async () => ({ buy: () => buy, close() {} })
  return [
    ...AT_ONCE.map((lanes) => ({ way: way(bareAt(lanes), lanes), lanes, open: here(buyOneBare) })),
    { way: way(ONE_STATEMENT, 32), lanes: ONCE, open: here(buyOneOnce) },
    ...AT_ONCE.map((lanes) => ({
      way: way(overHttp(lanes), lanes),
      lanes,
      open: () => openBuyers(api.gathering, lanes),
    })),
    { way: way(WITHOUT_GATHERING, 128), lanes: 128, open: () => openBuyers(api.alone, 128) },
    ...AT_ONCE.map((lanes) => ({
      way: way(inProcess(lanes), lanes),
      lanes,
      open: here(buyGathered(submitBuy)),
    })),
  ]
}

/** The product's action and its gathering, without HTTP and sessions. */
function buyGathered(submitBuy: (buy: ParcelBuy) => Promise<unknown>): Buy {
  return async (wish) => {
    const { wallet, parcelId } = wish
    const bought = submitBuy({ wallet, parcelId, expectedPrice: null, key: keyOn(purchaseParcel.path) })
    return (await unlessRefused(bought)) ? wish : null
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
