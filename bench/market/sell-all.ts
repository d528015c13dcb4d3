import { type Db, sql } from '#server/platform/db/db.ts'
import type { Load } from '../burst.ts'
import type { Base, Clients } from '../pgbench.ts'
import type { Turn } from '../rounds.ts'
import type { Buy } from '../sales.ts'
import { quantile } from '../statistics.ts'
import { LAND, type Offered, offerLand } from './traders.ts'

/** How many parcels one buyer alone buys at a time: where all of them would take long. */
const ALONE = 40

const readOwners = sql('bench-land-owners', 'select parcel_id, wallet from land')
const countSold = sql(
  'bench-count-sold',
  `select count(*)::int as sold from listings o join land l on l.parcel_id = o.parcel_id and l.wallet = o.buyer
   where o.id = any($1::uuid[]) and o.state = 'sold'`,
)

/** How long the buying itself took, and each purchase. */
type Sold = { seconds: number; latenciesMs: number[] }

/**
 * Sells all land from its owners to others, again and again, until it took so long. After each time every parcel must
 * belong to whom its purchase was acknowledged to.
 */
export function sellAll(db: Db, { lanes, seconds }: Load, buy: Buy<Offered>): Promise<Turn> {
  return sellAgain(db, { seconds, land: lanes === 1 ? LAND.slice(0, ALONE) : LAND }, async (offers) => {
    const latenciesMs: number[] = []
    let next = 0
    const buyInTurn = async (lane: number) => {
      while (next < offers.length) {
        const offered = offers[next++]!
        const asking = performance.now()
        if (!(await buy(offered, lane))) throw new Error(`${offered.wish.parcelId} was not to be had`)
        latenciesMs.push(performance.now() - asking)
      }
    }
    const from = performance.now()
    await Promise.all(Array.from({ length: lanes }, (_, lane) => buyInTurn(lane)))
    const took = (performance.now() - from) / 1000
    await expectOwners(db, offers)
    return { seconds: took, latenciesMs }
  })
}

/** The same by a base, which chooses its buyers itself. After each time nothing may be left on the market. */
export function sellAllBy(db: Db, { clients, seconds }: Clients, base: Base): Promise<Turn> {
  return sellAgain(db, { seconds, land: LAND }, async (offers) => {
    const sold = await base.run({ clients, each: Math.ceil(LAND.length / clients) })
    const [{ sold: there } = { sold: 0 }] = await db.rows<{ sold: number }>(countSold, [
      offers.map(({ listingId }) => listingId),
    ])
    if (there !== offers.length) throw new Error(`Of ${offers.length} parcels only ${there} were sold`)
    return sold
  })
}

/** To put land on the market is not measured. */
async function sellAgain(
  db: Db,
  { seconds, land }: { seconds: number; land: readonly string[] },
  sell: (offers: readonly Offered[]) => Promise<Sold>,
): Promise<Turn> {
  const latencies: number[] = []
  let [done, took] = [0, 0]
  do {
    const offers = await offerLand(db, land)
    const sold = await sell(offers)
    done += offers.length
    took += sold.seconds
    latencies.push(...sold.latenciesMs)
  } while (took < seconds)
  return { done, seconds: took, p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) }
}

async function expectOwners(db: Db, offers: readonly Offered[]): Promise<void> {
  const rows = await db.rows<{ parcel_id: string; wallet: string }>(readOwners)
  const owners = new Map(rows.map((row) => [row.parcel_id, row.wallet]))
  const lost = offers.filter(({ wish }) => owners.get(wish.parcelId) !== wish.wallet)
  if (lost.length > 0) throw new Error(`${lost.length} purchases were acknowledged and are not there`)
}
