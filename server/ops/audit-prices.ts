import { baseUnits, type Cotton, formatCotton } from '#game/cotton.ts'
import { nextPrice } from '#game/parcels.ts'
import type { Finding } from '#server/ledger/verify-ledger.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'

const readSales = sql({
  name: 'audit-prices',
  row: rowOf<{ code: string; start_price: bigint; price: bigint; paid: string[] }>(),
  text: `select c.code, c.start_price, c.price, array_remove(array_agg(l.price_paid::text order by l.price_paid), null) as paid
   from continents c left join land l on l.region = c.code group by c.code order by c.code`,
})

/** Recomputes all prices: each sale must have charged the start price, raised once for every sale before it. */
export async function auditPrices(db: Db): Promise<Finding[]> {
  const law = 'the price of a continent is its start price, raised by each sale'
  const rows = await db.rows(readSales)
  return rows.flatMap(({ code, start_price: start, price: now, paid }) => {
    let price: Cotton = baseUnits(start)
    for (const [at, charged] of paid.entries()) {
      if (BigInt(charged) !== price) {
        return [{ law, what: `${code}, sale ${at + 1}`, found: `${charged} charged instead of ${price}` }]
      }
      price = nextPrice(price)
    }
    return now === price
      ? []
      : [{ law, what: code, found: `${formatCotton(baseUnits(now))} instead of ${formatCotton(price)}` }]
  })
}
