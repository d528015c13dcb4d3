import { type Db, sql } from '#server/platform/db/db.ts'
import { BUYERS, seedBuyers } from '../parcels/buyers.ts'
import { REGION } from '../parcels/continent.ts'
import { runAsOwner, walletSql } from '../players.ts'

const PICKERS_EACH = 9

/** Players with a session and credit, a bigman and nine kids each, and a supply that does not end. */
export async function seedEvening(ownerUrl: string): Promise<void> {
  await seedBuyers(ownerUrl)
  const number = `${PICKERS_EACH} * (player - 1) + nth`
  await runAsOwner(ownerUrl, [
    `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
     select ${walletSql('player')}, 'kid-' || lpad((${number})::text, greatest(4, length((${number})::text)), '0'),
       'kid', 5000, now() - interval '1 hour', now() - interval '1 hour'
     from generate_series(1, ${BUYERS}) as player, generate_series(1, ${PICKERS_EACH}) as nth`,
    `update worker_types set max_supply = 2000000000, sold = ${BUYERS * PICKERS_EACH} where worker_type = 'kid'`,
    'vacuum analyze',
  ])
}

const clearLand = sql('bench-evening-land', 'delete from land where region = $1')
const clearPrice = sql(
  'bench-evening-price',
  'update continents set price = start_price, owned = 0, version = version + 1 where code = $1',
)
const owners = sql('bench-evening-owners', 'select parcel_id, wallet from land where region <> $1')

/** Gives the land of one continent back to the game, so that there is always some to be had. */
export async function giveLandBack(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    // As every purchase does: the continent first, then its land.
    await tx.rows(clearPrice, [REGION])
    await tx.rows(clearLand, [REGION])
  })
}

/** Who owns the land that players trade, by parcel. */
export async function readOwners(db: Db): Promise<Map<string, string>> {
  const rows = await db.rows<{ parcel_id: string; wallet: string }>(owners, [REGION])
  return new Map(rows.map((row) => [row.parcel_id, row.wallet]))
}
