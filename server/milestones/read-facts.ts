import { type ContinentCode, CONTINENTS } from '#game/continents.ts'
import { baseUnits, sumOf } from '#game/cotton.ts'
import type { MilestoneFacts } from '#game/milestones.ts'
import { PARCELS } from '#game/world.ts'
import { WORKER_TYPES, type WorkerType } from '#game/workers.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

type WorkersRow = { wallet: string; worker_type: WorkerType; owned: number; claimed: bigint }
type LandRow = { wallet: string; parcel_id: string; sold: boolean }
type MissingRow = { code: ContinentCode; parcels: number }

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
  row: rowOf<MissingRow>(),
  text: `select c.code, count(*)::int as parcels from continents c, unnest(c.excluded) as e (parcel_id)
   where not exists (select from land l where l.parcel_id = e.parcel_id) group by c.code`,
})

/** The facts of each wallet. The three statements share one round trip of a transaction. */
export async function readFacts(
  db: Queryable,
  wallets: readonly string[],
): Promise<Map<string, MilestoneFacts>> {
  const [workers, land, missing] = await Promise.all([
    db.rows(readWorkers, { wallets }),
    db.rows(readLand, { wallets }),
    db.rows(readMissing),
  ])
  const landOf = countLand(missing)
  const workersOf = Map.groupBy(workers, (row) => row.wallet)
  const rowsOf = Map.groupBy(land, (row) => row.wallet)
  return new Map(
    wallets.map((wallet) => {
      const crews = workersOf.get(wallet) ?? []
      const parcels = rowsOf.get(wallet) ?? []
      return [
        wallet,
        {
          workers: countByType(crews),
          harvested: sumOf(crews.map(({ claimed }) => baseUnits(claimed))),
          hasSold: parcels.some(({ sold }) => sold),
          parcelIds: [...new Set(parcels.map((row) => row.parcel_id))].toSorted(),
          landOf,
        },
      ]
    }),
  )
}

function countByType(rows: readonly WorkersRow[]): Record<WorkerType, number> {
  const owned = (type: WorkerType) => rows.find((row) => row.worker_type === type)?.owned ?? 0
  return Object.fromEntries(WORKER_TYPES.map((type) => [type, owned(type)])) as Record<WorkerType, number>
}

function countLand(missing: readonly MissingRow[]): Record<ContinentCode, number> {
  const counts = CONTINENTS.map((code): [ContinentCode, number] => {
    const all = PARCELS.filter(({ regionId }) => regionId === code).length
    return [code, all - (missing.find((row) => row.code === code)?.parcels ?? 0)]
  })
  return Object.fromEntries(counts) as Record<ContinentCode, number>
}
