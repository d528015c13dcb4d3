import type * as z from 'zod/mini'
import type { OwnedWorker, WorkerTypeOnWire } from '#contract/workers.ts'
import { toWire } from '#game/cotton.ts'
import { claimable, generated, mapWorkerTypes, type WorkerType, WORKERS } from '#game/workers.ts'
import { type Db, type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { accrualOf, type AccrualRow } from './accrual.ts'

const readSupply = sql({
  name: 'workers-supply',
  row: rowOf<{ worker_type: WorkerType; max_supply: number; sold: number }>(),
  text: 'select worker_type, max_supply, sold from worker_types',
})

type OwnedRow = AccrualRow & { worker_id: string; worker_type: WorkerType; purchased_at: Date }

// The first page, or the one after a worker. After an unknown worker there is none.
const readOwned = sql({
  name: 'workers-owned',
  params: { wallet: 'text', after: 'text | null', limit: 'integer' },
  row: rowOf<OwnedRow>(),
  text: ({ wallet, after, limit }) =>
    `select worker_id, worker_type, base, rate_per_hour, since, claimed, purchased_at from workers
     where wallet = ${wallet} and (purchased_at, worker_id) > (
       case when ${after} is null then '-infinity'
         else coalesce((select b.purchased_at from workers b where b.wallet = ${wallet} and b.worker_id = ${after}), 'infinity') end,
       coalesce(${after}, ''))
     order by purchased_at, worker_id limit ${limit}`,
})

const OWNED_PAGE = 1_000

type TypeOnWire = z.output<typeof WorkerTypeOnWire>

/** The number of workers of each type that the world offers, and the number sold. */
export type Supply = Readonly<Record<WorkerType, { maxSupply: number; sold: number }>>

/**
 * The current supply of every type. A `StartupError` if the database lacks a type of this program: the api reads the
 * supply when it starts.
 */
export async function readWorkerSupply(db: Queryable): Promise<Supply> {
  const rows = await db.rows(readSupply)
  return mapWorkerTypes((type) => {
    const row = rows.find((each) => each.worker_type === type)
    if (!row) throw new StartupError(missingType(type))
    return { maxSupply: row.max_supply, sold: row.sold }
  })
}

const missingType = (type: WorkerType) =>
  `The database has no worker type "${type}". "node server/main.ts migrate" adds it.`

/** All types with their supply, in the order of `WORKER_TYPES`. */
export function workerTypesOnWire(supply: Supply): Record<WorkerType, TypeOnWire> {
  return mapWorkerTypes((type) => {
    const { name, price, ratePerHour } = WORKERS[type]
    const { maxSupply, sold } = supply[type]
    return {
      workerType: type,
      name,
      maxSupply,
      sold,
      available: maxSupply - sold,
      progress: maxSupply === 0 ? 100 : (sold / maxSupply) * 100,
      price: toWire(price),
      generationRate: ratePerHour,
      image: `/art/${type}.svg`,
    }
  })
}

/** A page of a player's workers as of `now`, oldest first. `after` is the last worker of the page before it. */
export async function readOwnedWorkers(
  db: Db,
  { wallet, after, now }: { wallet: string; after?: string | undefined; now: Date },
): Promise<{ workers: z.output<typeof OwnedWorker>[]; next: string | null }> {
  const rows = await db.rows(readOwned, { wallet, after: after ?? null, limit: OWNED_PAGE })
  const workers = rows.map((row) => {
    const accrual = accrualOf(row)
    return {
      workerId: row.worker_id,
      workerType: row.worker_type,
      totalGeneratedTokens: toWire(generated(accrual, now)),
      claimedGeneratedTokens: toWire(accrual.claimed),
      unclaimedTokens: toWire(claimable(accrual, now)),
      generationRate: row.rate_per_hour,
      purchaseDate: row.purchased_at.toISOString(),
      // A worker that was hired while the clock was ahead generates from that time on.
      lastTokenUpdate: (row.since > now ? row.since : now).toISOString(),
    }
  })
  return { workers, next: rows.length === OWNED_PAGE ? rows.at(-1)!.worker_id : null }
}
