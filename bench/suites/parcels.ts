import { submitting } from '#server/account/submit.ts'
import { buyParcels, type ParcelBuy } from '#server/parcels/buy-parcels.ts'
import { Refused } from '#server/platform/answer.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type Db, openDb } from '#server/platform/db/db.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { expectCleanLedger } from '../books.ts'
import { buyBare, openBarePool } from '../parcels/buy-bare.ts'
import { buyOnce } from '../parcels/buy-once.ts'
import { openBuyers } from '../parcels/buy-over-http.ts'
import { keyFor, seedBuyers, type Wish } from '../parcels/buyers.ts'
import { openLandBooks } from '../parcels/land-books.ts'
import { type Buy, LAND, sellOut, type SoldOut } from '../parcels/sell-out.ts'
import { settle } from '../players.ts'
import { besides } from '../rounds.ts'
import { startChild } from '../start-child.ts'
import { quantile } from '../statistics.ts'
import { type Course, type Measured, suiteOf, type Way } from '../suite.ts'

const AT_ONCE = [1, 32, 128]
const SET = 32
/** A hot row gives no more to more of them. */
const ONCE = 8

/** Acknowledged purchases a second on one continent, whose price every one of them reads and moves. */
export const parcels = suiteOf('Parcels of one continent beside a bare transaction', measure)

const ONE_STATEMENT = `one statement each by node-postgres, ${ONCE} at once`
const WITHOUT_GATHERING = 'over HTTP without gathering, 128 at once'
const overHttp = (lanes: number) => `over HTTP, ${lanes} at once`

type MeasuredWay = {
  way: Way
  lanes: number
  atATime?: number
  /** Opens what it buys over, for one round. */
  open(): Promise<{ buy(lane: number): Buy; close(): void }>
}

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  await seedBuyers(postgres.ownerUrl)
  const owner = openDb(postgres.ownerUrl, { max: 1, applicationName: 'bench-books', readsAll: true })
  closers.push(() => owner.end())
  const ways = await openWays(postgres.apiUrl, closers)
  const books = await openLandBooks(owner)
  const rounds = quick ? 2 : 5
  const seconds = quick ? 0.4 : 2

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
    facts: {
      '128 at once over HTTP, beside one statement each': besides(ways, overHttp(128), ONE_STATEMENT),
      '128 at once over HTTP, beside the same without gathering': besides(
        ways,
        overHttp(128),
        WITHOUT_GATHERING,
      ),
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
  const serve = async (env: Record<string, string>) => {
    const child = await startChild<string>(new URL('../serve-api.ts', import.meta.url), {
      env: { DATABASE_URL: apiUrl, ...env },
    })
    closers.push(() => child.stop())
    return child.hello
  }
  const [api, aloneApi] = [await serve({}), await serve({ BENCH_ALONE: '1' })]

  const baseOf = (lanes: number) => `bare node-postgres, ${lanes} at once`
  const way = (name: string, lanes: number): Way => ({
    name,
    base: baseOf(lanes),
    perSecond: [],
    p50Ms: [],
    p99Ms: [],
  })
  const buyOneBare: Buy = async ([wish]) => ((await buyBare(bare, wish!)) ? [wish!] : [])
  const buyOneOnce: Buy = async ([wish]) => ((await buyOnce(bare, wish!)) ? [wish!] : [])
  const inProcess = (buy: Buy) => async () => ({ buy: () => buy, close() {} })
  return [
    ...AT_ONCE.map((lanes) => ({ way: way(baseOf(lanes), lanes), lanes, open: inProcess(buyOneBare) })),
    { way: way(ONE_STATEMENT, SET), lanes: ONCE, open: inProcess(buyOneOnce) },
    {
      way: way(`our action in process, ${SET} at once, each a transaction`, SET),
      lanes: SET,
      open: inProcess(buyInProcess(db)),
    },
    ...AT_ONCE.map((lanes) => ({
      way: way(`our action in process, ${lanes} at once, gathered as the routes do`, lanes),
      lanes,
      open: inProcess(buyGathered(submitBuy)),
    })),
    {
      way: way(`our action in process, ${SET} in one call`, SET),
      lanes: 1,
      atATime: SET,
      open: inProcess(buyInProcess(db)),
    },
    ...AT_ONCE.map((lanes) => ({
      way: way(overHttp(lanes), lanes),
      lanes,
      open: () => openBuyers(api, lanes),
    })),
    { way: way(WITHOUT_GATHERING, 128), lanes: 128, open: () => openBuyers(aloneApi, 128) },
  ]
}

function buyInProcess(db: Db): Buy {
  return async (wishes: readonly Wish[]) => {
    const asked = wishes.map((wish) => ({ ...wish, expectedPrice: null, key: keyFor(wish) }))
    const answers = await db.transaction((tx) => buyParcels(tx, asked, systemClock))
    return wishes.filter((_, at) => answers[at]!.reply)
  }
}

function buyGathered(submitBuy: (buy: ParcelBuy) => Promise<unknown>): Buy {
  return async ([wish]) => {
    try {
      await submitBuy({ ...wish!, expectedPrice: null, key: keyFor(wish!) })
      return [wish!]
    } catch (error) {
      if (error instanceof Refused) return []
      throw error
    }
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
