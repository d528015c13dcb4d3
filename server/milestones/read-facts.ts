import { CONTINENTS } from '#game/continents.ts'
import { baseUnits, sumOf } from '#game/cotton.ts'
import { isCountry, type MilestoneFacts } from '#game/milestones.ts'
import { PARCELS } from '#game/world.ts'
import { mapWorkerTypes, type WorkerType } from '#game/workers.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

type WorkersRow = { wallet: string; worker_type: WorkerType; owned: number; claimed: bigint }
type LandRow = { wallet: string; parcel_id: string; sold: boolean }
type AvailableRow = { worker_type: WorkerType; available: number }

// A bigint is enough for any level, and a sum may exceed it.
const readWorkers = sql({
  name: 'milestones-workers',
  params: { wallets: 'text[]' },
  row: rowOf<WorkersRow>(),
  text: ({ wallets }) =>
    `select wallet, worker_type, count(*)::int as owned, least(sum(claimed), 9223372036854775807)::bigint as claimed
     from workers where wallet = any(${wallets}) group by wallet, worker_type`,
})

// Land leaves a player through a sold listing only, so these rows are all that the player ever had. A parcel may be sold
// very often between two wallets, so the index is asked for the next parcel, not for every sale.
const readLand = sql({
  name: 'milestones-land',
  params: { wallets: 'text[]' },
  row: rowOf<LandRow>(),
  text: ({ wallets }) =>
    `select wallet, parcel_id, false as sold from land where wallet = any(${wallets})
     union
     select asked.wallet, s.parcel_id, true from unnest(${wallets}) as asked (wallet), lateral (
       with recursive parcels as (
         (select parcel_id from listings where seller = asked.wallet and state = 'sold' order by parcel_id limit 1)
         union all
         select l.parcel_id from parcels p, lateral (
           select parcel_id from listings
           where seller = asked.wallet and state = 'sold' and parcel_id > p.parcel_id order by parcel_id limit 1
         ) l
       )
       select parcel_id from parcels
     ) s`,
})

const readMissing = sql({
  name: 'milestones-missing-land',
  row: rowOf<{ parcel_id: string }>(),
  text: `select e.parcel_id from continents c, unnest(c.excluded) as e (parcel_id)
   where not exists (select from land l where l.parcel_id = e.parcel_id)`,
})

const readAvailable = sql({
  name: 'milestones-available-workers',
  row: rowOf<AvailableRow>(),
  text: 'select worker_type, max_supply - sold as available from worker_types',
})

/** The facts of each wallet. The four statements share one round trip of a transaction. */
export async function readFacts(
  db: Queryable,
  wallets: readonly string[],
): Promise<Map<string, MilestoneFacts>> {
  const [workers, land, missing, available] = await Promise.all([
    db.rows(readWorkers, { wallets }),
    db.rows(readLand, { wallets }),
    db.rows(readMissing),
    db.rows(readAvailable),
  ])
  const world = {
    available: mapWorkerTypes((type) => available.find((row) => row.worker_type === type)?.available ?? 0),
    ...countLand(new Set(missing.map((row) => row.parcel_id))),
  }
  const workersOf = Map.groupBy(workers, (row) => row.wallet)
  const rowsOf = Map.groupBy(land, (row) => row.wallet)
  return new Map(
    wallets.map((wallet) => {
      const crews = workersOf.get(wallet) ?? []
      const parcels = rowsOf.get(wallet) ?? []
      return [
        wallet,
        {
          workers: mapWorkerTypes((type) => crews.find((row) => row.worker_type === type)?.owned ?? 0),
          harvested: sumOf(crews.map(({ claimed }) => baseUnits(claimed))),
          hasSold: parcels.some(({ sold }) => sold),
          parcelIds: [...new Set(parcels.map((row) => row.parcel_id))].toSorted(),
          ...world,
        },
      ]
    }),
  )
}

function countLand(missing: ReadonlySet<string>): Pick<MilestoneFacts, 'landOf' | 'countries'> {
  const land = PARCELS.filter(({ parcelId }) => !missing.has(parcelId))
  const counts = CONTINENTS.map((code) => [code, land.filter(({ regionId }) => regionId === code).length])
  return {
    landOf: Object.fromEntries(counts) as MilestoneFacts['landOf'],
    countries: land.filter(({ parcelId }) => isCountry(parcelId)).length,
  }
}
