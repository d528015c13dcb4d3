import { purchaseParcel } from '#contract/parcels.ts'
import type { ContinentCode } from '#game/continents.ts'
import { cotton } from '#game/cotton.ts'
import { PARCELS } from '#game/world.ts'
import { sql } from '#server/platform/db/db.ts'
import { expectCleanLedger } from '../audit.ts'
import { someBuyer } from './buyers.ts'
import { expectOwners, type Sale, type SaleOptions } from './sale.ts'

const REGION: ContinentCode = 'AF'
const LAND = PARCELS.filter((parcel) => parcel.regionId === REGION)

/** Two per cent of it round to nothing: each sale computes and writes the next price, which stays affordable. */
const CONSTANT_PRICE = cotton(1)

const takeBack = sql('bench-take-back', 'delete from land where region = $1')
const resetPrice = sql(
  'bench-reset-price',
  'update continents set start_price = $2, price = $2, owned = 0, version = version + 1 where code = $1',
)
const vacuum = sql('bench-vacuum-land', 'vacuum land')
const readOwners = sql('bench-parcel-owners', 'select parcel_id, wallet from land where region = $1')
const readCount = sql('bench-parcel-count', 'select owned, price from continents where code = $1')

/** Land of one continent. Every purchase reads and updates the price of the same row. */
export async function openParcels({ owner }: SaleOptions): Promise<Sale> {
  return {
    path: purchaseParcel.path,
    async offer() {
      await owner.rows(takeBack, [REGION])
      await owner.rows(resetPrice, [REGION, CONSTANT_PRICE])
      await owner.rows(vacuum)
      return LAND.map(({ parcelId }) => {
        const buyer = someBuyer()
        return { ...buyer, parcelId, body: { parcelId, walletAddress: buyer.wallet } }
      })
    },
    async expectSold(orders) {
      expectOwners(await owner.rows(readOwners, [REGION]), orders)
      const [row] = await owner.rows<{ owned: number; price: bigint }>(readCount, [REGION])
      if (row?.owned !== orders.length || row.price !== CONSTANT_PRICE) {
        throw new Error(`${orders.length} parcels were sold, ${row?.owned} counted, price ${row?.price}`)
      }
    },
    // The full audit would report the land that was taken back as missing.
    audit: () => expectCleanLedger(owner),
  }
}
