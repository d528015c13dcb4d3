import type { Pool } from 'pg'
import { purchaseParcel } from '#contract/parcels.ts'
import { baseUnits } from '#game/cotton.ts'
import { nextPrice } from '#game/parcels.ts'
import { chargeForPool, inTransaction, keepAnswer, lockPurse, writeJournal } from '../bare.ts'
import type { Wish } from './buyers.ts'
import { REGION } from './continent.ts'

/**
 * The base: a purchase as it is written first. It reads each row and locks it, works out the next, and writes it,
 * one statement after the other, in the order in which one thinks of them. It writes the very rows that the product
 * writes. Answers false where the parcel has an owner.
 */
export function buyBare(pool: Pool, { wallet, parcelId }: Wish): Promise<boolean> {
  return inTransaction(pool, async (run) => {
    const [continent] = await run('bare-price', 'select price from continents where code = $1 for update', [
      REGION,
    ])
    const owned = await run('bare-owned', 'select 1 from land where parcel_id = $1', [parcelId])
    if (owned.length > 0) return false
    const price = baseUnits(BigInt(continent!.price!))
    const left = await lockPurse(run, { wallet, amount: -price })
    if (left.balance < 0n) return false
    const detail = { parcelId, price: Number(price / 1_000_000n) }
    const id = await writeJournal(run, { wallet, kind: 'parcel', detail })
    await chargeForPool(run, { wallet, id, price, left })
    await run(
      'bare-land',
      `insert into land (parcel_id, region, wallet, price_paid, journal_id, bought_at) values ($1, $2, $3, $4, $5, now())`,
      [parcelId, REGION, wallet, price, id],
    )
    await run(
      'bare-move',
      'update continents set price = $2, owned = owned + 1, version = version + 1 where code = $1',
      [REGION, nextPrice(price)],
    )
    const answer = { success: true, parcelId, balance: String(left.balance) }
    await keepAnswer(run, { wallet, route: purchaseParcel.path, answer })
    return true
  })
}
