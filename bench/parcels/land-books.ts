import { ZERO } from '#game/cotton.ts'
import { nextPrice, START_PRICE } from '#game/parcels.ts'
import { auditPrices } from '#server/ops/audit-prices.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import type { Wish } from './buyers.ts'
import { LAND, REGION } from './sell-out.ts'

const readLand = sql('bench-land', 'select parcel_id, wallet from land where region = $1 order by parcel_id')
const readCredit = sql('bench-credit', 'select sum(balance)::text as total from accounts')
const clearLand = sql('bench-clear-land', 'delete from land where region = $1')
const clearPrice = sql(
  'bench-clear-price',
  'update continents set price = start_price, owned = 0, version = version + 1 where code = $1',
)

/** What all parcels of the continent cost, one after the other. */
const WHOLE_CHAIN = LAND.reduce(({ total, price }) => ({ total: total + price, price: nextPrice(price) }), {
  total: ZERO as bigint,
  price: START_PRICE,
}).total

/**
 * Holds what was acknowledged against the database, and gives the continent back to the game for the next time.
 * History cannot be taken back, so the laws between land and history are left to the ledger's own.
 */
export async function openLandBooks(db: Db) {
  const creditNow = async () => BigInt((await db.rows<{ total: string }>(readCredit))[0]!.total)
  let credit = await creditNow()
  let sales = 0
  return {
    count: () => sales,
    async expectSoldOut(sold: readonly Wish[]) {
      const land = await db.rows<{ parcel_id: string; wallet: string }>(readLand, [REGION])
      const acknowledged = sold.map(({ parcelId, wallet }) => `${parcelId} ${wallet}`).toSorted()
      const owned = land.map((row) => `${row.parcel_id} ${row.wallet}`).toSorted()
      if (owned.length !== LAND.length || owned.join() !== acknowledged.join()) {
        throw new Error(`${sold.length} purchases were acknowledged, ${owned.length} of ${LAND.length} owned`)
      }
      const [finding] = await auditPrices(db)
      if (finding) throw new Error(`The prices are broken: ${JSON.stringify(finding)}`)
      const left = await creditNow()
      if (credit - left !== WHOLE_CHAIN) {
        throw new Error(`${credit - left} was spent instead of ${WHOLE_CHAIN}`)
      }
      credit = left
      sales += sold.length
    },
    async reset() {
      await db.rows(clearLand, [REGION])
      await db.rows(clearPrice, [REGION])
    },
  }
}
