import { purchaseListing } from '#contract/market.ts'
import { buyListings, type Purchase } from '#server/market/buy-listings.ts'
import { marketIn } from '#server/market/market-mode.ts'
import { systemClock } from '#server/platform/clock.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { expectCleanBooks, openBooks } from '../books.ts'
import { buyBare } from '../market/buy-bare.ts'
import { buyOnce } from '../market/buy-once.ts'
import { sellAll } from '../market/sell-all.ts'
import { buyAllLand, type Offered, seedTraders } from '../market/traders.ts'
import { seeEverybody, settle } from '../players.ts'
import { keyOn } from '../requests.ts'
import { takeTurns } from '../rounds.ts'
import { openSaleWays, openShop, reachOf, type Sale, type SaleTurn } from '../sales.ts'
import { type Course, type Measured, suiteOf } from '../suite.ts'

const LANES = [1, 32, 128]
/** Hot rows give no more to more of them. */
const ONCE = 8
const ONE_STATEMENT = `one statement each by node-postgres, ${ONCE} at once`

/** Acknowledged purchases of land from other players a second. */
export const market = suiteOf('The market beside one statement each', measure)

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const { ownerUrl, apiUrl, fsyncMs } = await startBenchPostgres({ closers })
  await seedTraders(ownerUrl)
  const books = openBooks(ownerUrl, { closers })
  const { bare, db, gathering } = openShop(apiUrl, { closers })
  await buyAllLand(db)
  const seconds = quick ? 0.2 : 1.5
  const deps = { clock: systemClock, market: marketIn('open') }

  const listings: Sale<Offered> = {
    sell: (load, buy) => sellAll(db, load, buy),
    once: {
      name: ONE_STATEMENT,
      run: () => sellAll(db, { lanes: ONCE, seconds }, (offered) => buyOnce(bare, offered)),
    },
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
    { apiUrl, owner: books, seconds, env: { BENCH_MARKET: 'open' } },
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
    base: ONE_STATEMENT,
    unit: 'purchases',
    ways: ways.map(({ way }) => way),
    reach: reachOf(ONE_STATEMENT, 128),
    facts: {
      'One 8 kB write and fsync on this disk': `${fsyncMs.toFixed(2)} ms`,
      'Purchases acknowledged, each with its new owner and its payment, books audited after every round':
        sales,
    },
  }
}
