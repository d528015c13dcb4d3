import type * as z from 'zod/mini'
import type { OwnedWorker, WorkerTypeOnWire } from '#contract/workers.ts'
import { baseUnits, toWire } from '#game/cotton.ts'
import { claimable, generated, WORKER_TYPES, type WorkerType, WORKERS } from '#game/workers.ts'
import { type Db, sql } from '#server/platform/db/db.ts'

const readSupply = sql('workers-supply', 'select worker_type, max_supply, sold from worker_types')

const readOwned = sql(
  'workers-owned',
  `select worker_id, worker_type, base, rate_per_hour, since, claimed, purchased_at from workers
   where wallet = $1 and (purchased_at, worker_id) > (
     case when $2::text is null then '-infinity'
       else coalesce((select b.purchased_at from workers b where b.wallet = $1 and b.worker_id = $2), 'infinity') end,
     coalesce($2, ''))
   order by purchased_at, worker_id limit $3`,
)

const OWNED_PAGE = 1_000

type TypeOnWire = z.output<typeof WorkerTypeOnWire>

/** What there is of each type, and how much of it is sold. */
export type Supply = Readonly<Record<WorkerType, { maxSupply: number; sold: number }>>

/** The supply as it is now. */
export async function readWorkerSupply(db: Db): Promise<Supply> {
  const rows = await db.rows<{ worker_type: WorkerType; max_supply: number; sold: number }>(readSupply)
  const types = WORKER_TYPES.map((type) => {
    const row = rows.find((each) => each.worker_type === type)
    return [type, { maxSupply: row?.max_supply ?? 0, sold: row?.sold ?? 0 }]
  })
  return Object.fromEntries(types) as Supply
}

/** The four types with what is sold of each, in the game's order. */
export function workerTypesOnWire(supply: Supply): Record<WorkerType, TypeOnWire> {
  const types = WORKER_TYPES.map((type): [WorkerType, TypeOnWire] => {
    const { name, price, ratePerHour } = WORKERS[type]
    const { maxSupply, sold } = supply[type]
    return [
      type,
      {
        workerType: type,
        name,
        maxSupply,
        sold,
        available: maxSupply - sold,
        progress: maxSupply === 0 ? 100 : (sold / maxSupply) * 100,
        price: toWire(price),
        generationRate: ratePerHour,
        image: `/art/${type}.svg`,
      },
    ]
  })
  return Object.fromEntries(types) as Record<WorkerType, TypeOnWire>
}

/** A page of a player's workers as of `now`, oldest first: the first, or the one behind a worker. */
export async function readOwnedWorkers(
  db: Db,
  { wallet, after, now }: { wallet: string; after?: string | undefined; now: Date },
): Promise<{ workers: z.output<typeof OwnedWorker>[]; next: string | null }> {
  type Row = {
    worker_id: string
    worker_type: WorkerType
    base: bigint
    rate_per_hour: number
    since: Date
    claimed: bigint
    purchased_at: Date
  }
  const rows = await db.rows<Row>(readOwned, [wallet, after, OWNED_PAGE])
  const workers = rows.map((row) => {
    const accrual = {
      base: baseUnits(row.base),
      ratePerHour: row.rate_per_hour,
      since: row.since,
      claimed: baseUnits(row.claimed),
    }
    return {
      workerId: row.worker_id,
      workerType: row.worker_type,
      totalGeneratedTokens: toWire(generated(accrual, now)),
      claimedGeneratedTokens: toWire(accrual.claimed),
      unclaimedTokens: toWire(claimable(accrual, now)),
      generationRate: row.rate_per_hour,
      purchaseDate: row.purchased_at.toISOString(),
      lastTokenUpdate: now.toISOString(),
    }
  })
  return { workers, next: rows.length === OWNED_PAGE ? rows.at(-1)!.worker_id : null }
}
