import { purchaseWorker } from '#contract/workers.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { expectCleanAudit } from '../audit.ts'
import { someBuyer } from './buyers.ts'
import type { Sale, SaleOptions } from './sale.ts'

const HIRES = 1_000

const raiseSupply = sql({
  name: 'bench-raise-supply',
  text: `update worker_types set max_supply = 2000000000 where worker_type = 'kid'`,
})
const readSold = sql({
  name: 'bench-sold',
  row: rowOf<{ sold: number }>(),
  text: `select sold from worker_types where worker_type = 'kid'`,
})

/** Hires of one type. All of them update the same row of the supply. */
export async function openHires({ owner }: SaleOptions): Promise<Sale> {
  await owner.rows(raiseSupply)
  const read = async () => Number((await owner.rows(readSold))[0]!.sold)
  let before = await read()
  return {
    path: purchaseWorker.path,
    async offer() {
      before = await read()
      return Array.from({ length: HIRES }, () => {
        const buyer = someBuyer()
        return { ...buyer, body: { workerType: 'kid', walletAddress: buyer.wallet } }
      })
    },
    async expectSold(orders) {
      const sold = (await read()) - before
      if (sold !== orders.length) throw new Error(`${orders.length} hires were acknowledged, ${sold} sold`)
    },
    audit: () => expectCleanAudit(owner),
  }
}
