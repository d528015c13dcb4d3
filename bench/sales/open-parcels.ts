import { purchaseParcel } from '#contract/parcels.ts'
import type { ContinentCode } from '#game/continents.ts'
import { cotton } from '#game/cotton.ts'
import { PARCELS } from '#game/world.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { expectCleanLedger } from '../audit.ts'
import { someBuyer } from './buyers.ts'
import { expectOwners, type Sale, type SaleOptions } from './sale.ts'

const REGION: ContinentCode = 'AF'
const LAND = PARCELS.filter((parcel) => parcel.regionId === REGION)

/** Two per cent of it round to nothing: each sale computes and writes the next price, which stays affordable. */
const CONSTANT_PRICE = cotton(1)

const takeBack = sql({
  name: 'bench-take-back',
  params: { region: 'text' },
  text: ({ region }) => `delete from land where region = ${region}`,
})
const resetPrice = sql({
  name: 'bench-reset-price',
  params: { region: 'text', price: 'bigint' },
  text: ({ region, price }) =>
    `update continents set start_price = ${price}, price = ${price}, owned = 0, version = version + 1 where code = ${region}`,
})
const vacuum = sql({ name: 'bench-vacuum-land', text: 'vacuum land' })
const readOwners = sql({
  name: 'bench-parcel-owners',
  params: { region: 'text' },
  row: rowOf<{ parcel_id: string; wallet: string }>(),
  text: ({ region }) => `select parcel_id, wallet from land where region = ${region}`,
})
const readCount = sql({
  name: 'bench-parcel-count',
  params: { region: 'text' },
  row: rowOf<{ owned: number; price: bigint }>(),
  text: ({ region }) => `select owned, price from continents where code = ${region}`,
})

/** Land of one continent. Every purchase reads and updates the price of the same row. */
export async function openParcels({ owner }: SaleOptions): Promise<Sale> {
  return {
    path: purchaseParcel.path,
    async offer() {
      await owner.rows(takeBack, { region: REGION })
      await owner.rows(resetPrice, { region: REGION, price: CONSTANT_PRICE })
      await owner.rows(vacuum)
      return LAND.map(({ parcelId }) => {
        const buyer = someBuyer()
        return { ...buyer, parcelId, body: { parcelId, walletAddress: buyer.wallet } }
      })
    },
    async expectSold(orders) {
      expectOwners(await owner.rows(readOwners, { region: REGION }), orders)
      const [row] = await owner.rows(readCount, { region: REGION })
      if (row?.owned !== orders.length || row.price !== CONSTANT_PRICE) {
        throw new Error(`${orders.length} parcels were sold, ${row?.owned} counted, price ${row?.price}`)
      }
    },
    // The full audit would report the land that was taken back as missing.
    audit: () => expectCleanLedger(owner),
  }
}
