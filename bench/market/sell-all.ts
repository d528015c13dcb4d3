import { type Db, sql } from '#server/platform/db/db.ts'
import type { Load } from '../burst.ts'
import type { Turn } from '../rounds.ts'
import type { Buy } from '../sales.ts'
import { quantile } from '../statistics.ts'
import { type Offered, offerLand } from './traders.ts'

/** How many parcels one buyer alone buys at a time: where all of them would take long. */
const ALONE = 40

const readOwners = sql('bench-land-owners', 'select parcel_id, wallet from land')

/**
 * Sells all land from its owners to others, again and again, until it took so long. To put it on the market is not
 * measured. After each time every parcel must belong to whom its purchase was acknowledged to.
 */
export async function sellAll(db: Db, { lanes, seconds }: Load, buy: Buy<Offered>): Promise<Turn> {
  const latencies: number[] = []
  let took = 0
  do {
    const offers = await offerLand(db, lanes === 1 ? ALONE : undefined)
    let next = 0
    const from = performance.now()
    const buyInTurn = async (lane: number) => {
      while (next < offers.length) {
        const offered = offers[next++]!
        const asking = performance.now()
        if (!(await buy(offered, lane))) throw new Error(`${offered.wish.parcelId} was not to be had`)
        latencies.push(performance.now() - asking)
      }
    }
    await Promise.all(Array.from({ length: lanes }, (_, lane) => buyInTurn(lane)))
    took += (performance.now() - from) / 1000
    await expectOwners(db, offers)
  } while (took < seconds)
  return {
    done: latencies.length,
    seconds: took,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  }
}

async function expectOwners(db: Db, offers: readonly Offered[]): Promise<void> {
  const rows = await db.rows<{ parcel_id: string; wallet: string }>(readOwners)
  const owners = new Map(rows.map((row) => [row.parcel_id, row.wallet]))
  const lost = offers.filter(({ wish }) => owners.get(wish.parcelId) !== wish.wallet)
  if (lost.length > 0) throw new Error(`${lost.length} purchases were acknowledged and are not there`)
}
