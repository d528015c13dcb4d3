import { purchaseListing } from '#contract/market.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { expectCleanAudit } from '../audit.ts'
import { someBuyer } from './buyers.ts'
import { buyAllLand, listAllLand } from './land-owners.ts'
import { expectOwners, type Sale, type SaleOptions } from './sale.ts'

const readOwners = sql({
  name: 'bench-land-owners',
  row: rowOf<{ parcel_id: string; wallet: string }>(),
  text: 'select parcel_id, wallet from land',
})

/** Land that one player sells to another. */
export async function openMarket({ owner, db }: SaleOptions): Promise<Sale> {
  await buyAllLand(db)
  return {
    path: purchaseListing.path,
    async offer() {
      const listings = await listAllLand(db)
      return listings.map(({ listingId, parcelId, seller }) => {
        const buyer = buyerBeside(seller)
        return { ...buyer, parcelId, body: { listingId, walletAddress: buyer.wallet } }
      })
    },
    expectSold: async (orders) => expectOwners(await owner.rows(readOwners), orders),
    audit: () => expectCleanAudit(owner),
  }
}

/** A random buyer who is not the seller. */
function buyerBeside(seller: string) {
  for (;;) {
    const buyer = someBuyer()
    if (buyer.wallet !== seller) return buyer
  }
}
