import { purchaseListing } from '#contract/market.ts'
import { submitting } from '#server/account/submit.ts'
import { buyListings, type Purchase } from '#server/market/buy-listings.ts'
import { marketIn } from '#server/market/market-mode.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type Db, openDb } from '#server/platform/db/db.ts'
import { openBarePool } from '../bare.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { expectCleanBooks, openBooks } from '../books.ts'
import { buyBare } from '../market/buy-bare.ts'
import { type BuyOffered, openTraders, sellAll } from '../market/sell-all.ts'
import { buyOnce } from '../market/buy-once.ts'
import { buyAllLand, seedTraders } from '../market/traders.ts'
import { settle } from '../players.ts'
import { keyOn } from '../requests.ts'
import { takeTurns, type TimedWay, wayOf } from '../rounds.ts'
import { startBothApis } from '../start-api.ts'
import { type Course, type Measured, type Reach, suiteOf } from '../suite.ts'

const AT_ONCE = [1, 32, 128]

/** Acknowledged purchases of land from other players a second. */
export const market = suiteOf('The market beside a bare transaction', measure)

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  await seedTraders(postgres.ownerUrl)
  const books = openBooks(postgres.ownerUrl, { closers })
  const db = openDb(postgres.apiUrl, { max: 10, applicationName: 'bench-market' })
  closers.push(() => db.end())
  await buyAllLand(db)
  const ways = await openWays({ apiUrl: postgres.apiUrl, db, seconds: quick ? 0.2 : 1.5, closers })
  let sales = 0
  await takeTurns(ways, {
    rounds: quick ? 2 : 5,
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
    reach: REACH,
    facts: {
      'One 8 kB write and fsync on this disk': `${postgres.fsyncMs.toFixed(2)} ms`,
      'Purchases acknowledged, each with its new owner and its payment, books audited after every round':
        sales,
    },
  }
}

const bareAt = (lanes: number) => `read-then-write by node-postgres, ${lanes} at once`
const overHttp = (lanes: number) => `over HTTP, ${lanes} at once`
const inProcess = (lanes: number) => `in process, ${lanes} at once`
const ALONE = 'over HTTP without gathering, 128 at once'
/** Hot rows give no more to more of them. */
const ONCE = 8
const ONE_STATEMENT = `one statement each by node-postgres, ${ONCE} at once`

const REACH: Reach[] = [
  { what: '128 at once over HTTP, over one statement each', of: overHttp(128), over: ONE_STATEMENT },
  { what: '128 at once in process, over one statement each', of: inProcess(128), over: ONE_STATEMENT },
  { what: '128 at once in process, over read-then-write', of: inProcess(128), over: bareAt(128) },
  { what: '128 at once over HTTP, over the same without gathering', of: overHttp(128), over: ALONE },
]

type WaysOptions = { apiUrl: string; db: Db; seconds: number } & Pick<Course, 'closers'>

async function openWays({ apiUrl, db, seconds, closers }: WaysOptions): Promise<TimedWay[]> {
  const api = await startBothApis({ apiUrl, env: { BENCH_MARKET: 'open' }, closers })
  const bare = openBarePool(apiUrl)
  closers.push(() => bare.end())
  const buyHere = buyInProcess(db)
  const way = (name: string, lanes: number, buy: BuyOffered, base = bareAt(lanes)): TimedWay => ({
    way: wayOf(name, base),
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
    way(ONE_STATEMENT, ONCE, (offered) => buyOnce(bare, offered), bareAt(32)),
    ...AT_ONCE.map((lanes) => wayTo(api.gathering, overHttp(lanes), lanes)),
    wayTo(api.alone, ALONE, 128),
    ...[32, 128].map((lanes) => way(inProcess(lanes), lanes, buyHere)),
  ]
}

/** The product's action and its gathering, without HTTP and sessions. */
function buyInProcess(db: Db): BuyOffered {
  const deps = { db, clock: systemClock, market: marketIn('open') }
  const submit = submitting(deps, (tx, purchases: readonly Purchase[]) => buyListings(tx, purchases, deps))
  return async ({ listingId, wish }) => {
    await submit({ wallet: wish.wallet, listingId, expectedPrice: null, key: keyOn(purchaseListing.path) })
    return true
  }
}
