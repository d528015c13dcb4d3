import { submitting } from '#server/account/submit.ts'
import { buyListings, type Purchase } from '#server/market/buy-listings.ts'
import { marketIn } from '#server/market/market-mode.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type Db, openDb } from '#server/platform/db/db.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { expectCleanBooks } from '../books.ts'
import { buyBare } from '../market/buy-bare.ts'
import { type BuyOffered, openTraders, sellAll } from '../market/sell-all.ts'
import { buyAllLand, keyForPurchase, seedTraders } from '../market/traders.ts'
import { openBarePool } from '../parcels/buy-bare.ts'
import { settle } from '../players.ts'
import { besides, takeTurns, type TimedWay, wayOf } from '../rounds.ts'
import { startChild } from '../start-child.ts'
import { type Course, type Measured, suiteOf } from '../suite.ts'

const AT_ONCE = [1, 32, 128]

/** Acknowledged purchases of land from other players a second. */
export const market = suiteOf('The market beside a bare transaction', measure)

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  await seedTraders(postgres.ownerUrl)
  const books = openDb(postgres.ownerUrl, { max: 1, applicationName: 'bench-books', readsAll: true })
  closers.push(() => books.end())
  const db = openDb(postgres.apiUrl, { max: 10, applicationName: 'bench-market' })
  closers.push(() => db.end())
  await buyAllLand(db)
  const ways = await openWays({ apiUrl: postgres.apiUrl, db, seconds: quick ? 0.2 : 2, closers })
  let sales = 0
  await takeTurns(ways, {
    rounds: quick ? 2 : 7,
    say,
    settle: () => settle(postgres.ownerUrl),
    async check({ done }) {
      sales += done
    },
    audit: () => expectCleanBooks(books),
  })
  return {
    base: bareAt(1),
    unit: 'purchases',
    ways: ways.map(({ way }) => way),
    facts: {
      '128 at once over HTTP, beside the same without gathering': besides(ways, overHttp(128), ALONE),
      'One 8 kB write and fsync on this disk': `${postgres.fsyncMs.toFixed(2)} ms`,
      'Purchases acknowledged, each with its new owner and its payment, books audited after every round':
        sales,
    },
  }
}

const bareAt = (lanes: number) => `read-then-write by node-postgres, ${lanes} at once`
const overHttp = (lanes: number) => `over HTTP, ${lanes} at once`
const ALONE = 'over HTTP without gathering, 128 at once'

type WaysOptions = { apiUrl: string; db: Db; seconds: number } & Pick<Course, 'closers'>

async function openWays({ apiUrl, db, seconds, closers }: WaysOptions): Promise<TimedWay[]> {
  const serve = async (env: Record<string, string>) => {
    const child = await startChild<string>(new URL('../serve-api.ts', import.meta.url), {
      env: { DATABASE_URL: apiUrl, BENCH_MARKET: 'open', ...env },
    })
    closers.push(() => child.stop())
    return child.hello
  }
  const [api, aloneApi] = [await serve({}), await serve({ BENCH_ALONE: '1' })]
  const bare = openBarePool(apiUrl)
  closers.push(() => bare.end())
  const buyHere = buyInProcess(db)
  const way = (name: string, lanes: number, buy: BuyOffered): TimedWay => ({
    way: wayOf(name, bareAt(lanes)),
    run: () => sellAll(db, { lanes, seconds, buy }),
  })
  const wayTo = (url: string, name: string, lanes: number): TimedWay => ({
    way: wayOf(name, bareAt(lanes)),
    async run() {
      const { buy, close } = await openTraders(url, lanes)
      const turn = await sellAll(db, { lanes, seconds, buy })
      close()
      return turn
    },
  })
  return [
    ...AT_ONCE.map((lanes) => way(bareAt(lanes), lanes, (offered) => buyBare(bare, offered))),
    ...AT_ONCE.map((lanes) => wayTo(api, overHttp(lanes), lanes)),
    wayTo(aloneApi, ALONE, 128),
    ...[32, 128].map((lanes) => way(`in process, ${lanes} at once`, lanes, buyHere)),
  ]
}

/** The product's action and its gathering, without HTTP and sessions. */
function buyInProcess(db: Db): BuyOffered {
  const deps = { db, clock: systemClock, market: marketIn('open') }
  const submit = submitting(deps, (tx, purchases: readonly Purchase[]) => buyListings(tx, purchases, deps))
  return async ({ listingId, wish }) => {
    await submit({ wallet: wish.wallet, listingId, expectedPrice: null, key: keyForPurchase() })
    return true
  }
}
