import { createClient } from '#server/platform/db/connect-to-primary.ts'
import { CONTINENTS } from '#game/continents.ts'
import { PARCELS } from '#game/world.ts'
import { WORKER_TYPES } from '#game/workers.ts'
import type { OfferedWorld } from './world-config.ts'

// Once a parcel of a continent is sold, its prices follow from the sales and the file no longer sets them. The higher
// version makes running processes read the continent again.
const offerContinent = `
  update continents set
    start_price = case when owned = 0 then $2 else start_price end,
    price = case when owned = 0 then $2 else price end,
    excluded = $3,
    version = version + 1
  where code = $1 and (excluded <> $3 or (owned = 0 and start_price <> $2))`

// A supply below what is already sold ends the sale; it takes no worker from a player.
const offerWorkers = `
  insert into worker_types as t (worker_type, max_supply) values ($1, $2)
  on conflict (worker_type) do update set max_supply = greatest($2, t.sold)
    where t.max_supply <> greatest($2, t.sold)`

/**
 * Writes the offered world to the database, in one transaction, with the owner's rights. Worker types that the database
 * does not have yet are added.
 */
export async function applyWorld(url: string, world: OfferedWorld): Promise<void> {
  const client = createClient(url, { application_name: 'apply-world' })
  await client.connect()
  try {
    const offered = new Set(world.parcels.map((parcel) => parcel.parcelId))
    await client.query('begin')
    // Sales lock these rows in the same order.
    for (const code of CONTINENTS.toSorted()) {
      const excluded = PARCELS.filter((parcel) => parcel.regionId === code && !offered.has(parcel.parcelId))
      const ids = excluded.map((parcel) => parcel.parcelId)
      await client.query(offerContinent, [code, world.startPrices[code], ids])
    }
    for (const type of WORKER_TYPES.toSorted()) await client.query(offerWorkers, [type, world.supply[type]])
    await client.query('commit')
  } finally {
    await client.end()
  }
}
