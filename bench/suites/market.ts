// First: the world is made of a table that this one makes longer.
import { WIDENED } from '../widen-land.ts'
import { purchaseListing } from '#contract/market.ts'
import { buyListings, type Purchase } from '#server/market/buy-listings.ts'
import { createMarket } from '#server/market/market-mode.ts'
import { systemClock } from '#server/platform/clock.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { expectCleanBooks, openBooks } from '../books.ts'
import { buyBare } from '../market/buy-bare.ts'
import { BUY_SCRIPT } from '../market/buy-script.ts'
import { sellAll, sellAllBy } from '../market/sell-all.ts'
import { buyAllLand, LAND, type Offered, seedTraders } from '../market/traders.ts'
import { BUYERS } from '../parcels/buyers.ts'
import { type Clients, findBestClients, pgbenchRunning } from '../pgbench.ts'
import { seeEverybody, settle } from '../players.ts'
import { keyOn } from '../requests.ts'
import { takeTurns } from '../rounds.ts'
import { openSaleWays, openShop, reachOf, type Sale, type SaleTurn } from '../sales.ts'
import { type Course, type Measured, suiteOf } from '../suite.ts'

const LANES = [1, 32, 128, 512]

/** Acknowledged purchases of land from other players a second. */
export const market = suiteOf('The market beside one statement each', measure)

async function measure(course: Course): Promise<Measured> {
  const { quick, say, closers } = course
  const { ownerUrl, apiUrl, fsyncMs } = await startBenchPostgres({ closers })
  await seedTraders(ownerUrl)
  const books = openBooks(ownerUrl, { closers })
  const { bare, db, gathering } = openShop(apiUrl, { closers })
  await buyAllLand(db)
  const seconds = quick ? 0.2 : 1.5
  const script = { apiUrl, script: BUY_SCRIPT, variables: { buyers: BUYERS, n: -1 } }
  const base = pgbenchRunning('one statement each', script, course)
  const once = { name: base.name, run: (load: Clients) => sellAllBy(db, load, base) }
  const clients = await findBestClients(once, quick ? [2, 8] : [1, 2, 4, 8, 16])
  say(`The base is ${once.name} with ${clients} clients, the best of those tried.`)
  const deps = { clock: systemClock, market: createMarket('open') }

  const listings: Sale<Offered> = {
    sell: (load, buy) => sellAll(db, load, buy),
    once: { name: once.name, run: () => once.run({ clients, seconds }) },
    buyBare: (offered) => buyBare(bare, offered),
    buyGathered: gathering(
      (tx, purchases: readonly Purchase[]) => buyListings(tx, purchases, deps),
      ({ listingId, wish: { wallet } }: Offered) => ({
        wallet,
        listingId,
        expectedPrice: null,
        key: keyOn(purchaseListing.path),
      }),
    ),
    path: purchaseListing.path,
    ask: ({ listingId, wish: { player, wallet } }) => ({
      player,
      asked: { listingId, walletAddress: wallet },
    }),
    lanes: LANES,
  }
  const ways = await openSaleWays(
    listings,
    { apiUrl, owner: books, seconds, env: { BENCH_MARKET: 'open' }, execArgv: WIDENED },
    { closers },
  )
  let sales = 0
  await settle(ownerUrl)
  await takeTurns<SaleTurn>(ways, {
    rounds: quick ? 2 : 5,
    say,
    settle: () => seeEverybody(ownerUrl),
    async check(turn) {
      sales += turn.sold ?? turn.done
    },
    audit: () => expectCleanBooks(books),
  })
  return {
    base: once.name,
    unit: 'purchases',
    ways: ways.map(({ way }) => way),
    reach: reachOf(once.name, 512),
    facts: {
      'Parcels that are sold, again and again': LAND.length,
      'Clients of the base': clients,
      'One 8 kB write and fsync on this disk': `${fsyncMs.toFixed(2)} ms`,
      'Purchases acknowledged, each with its new owner and its payment, books audited after every round':
        sales,
    },
  }
}
