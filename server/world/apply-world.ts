import { Client } from 'pg'
import { CONTINENTS } from '#game/continents.ts'
import { PARCELS } from '#game/world.ts'
import { WORKER_TYPES } from '#game/workers.ts'
import type { OfferedWorld } from './world-config.ts'

// Where something was sold the price has a history, and the operator's word comes too late. The version tells
// processes that run.
const offerContinent = `
  update continents set
    start_price = case when owned = 0 then $2 else start_price end,
    price = case when owned = 0 then $2 else price end,
    excluded = $3,
    version = version + 1
  where code = $1 and (excluded <> $3 or (owned = 0 and start_price <> $2))`

// Nobody loses a worker: a supply below what is sold means that no more are.
const offerWorkers = `
  update worker_types set max_supply = greatest($2, sold) where worker_type = $1 and max_supply <> greatest($2, sold)`

/** Makes the database offer this world, as its owner: all of it or nothing. */
export async function applyWorld(url: string, world: OfferedWorld): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'apply-world' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const offered = new Set(world.parcels.map((parcel) => parcel.parcelId))
    await client.query('begin')
    // In the order in which sales lock them.
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
