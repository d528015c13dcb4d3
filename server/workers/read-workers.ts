import type * as z from 'zod/mini'
import type { OwnedWorker, WorkerTypeOnWire } from '#contract/workers.ts'
import { baseUnits, toWire } from '#game/cotton.ts'
import { claimable, generated, WORKER_TYPES, type WorkerType, WORKERS } from '#game/workers.ts'
import { type Db, sql } from '#server/platform/db/db.ts'

const readSupply = sql('workers-supply', 'select worker_type, max_supply, sold from worker_types')

const readOwned = sql(
  'workers-owned',
  `select worker_id, worker_type, base, rate_per_hour, since, claimed, purchased_at from workers
   where wallet = $1 order by purchased_at, worker_id`,
)

type TypeOnWire = z.output<typeof WorkerTypeOnWire>

/** The four types with what is sold of each, in the game's order. */
export async function readWorkerTypes(db: Db): Promise<Record<WorkerType, TypeOnWire>> {
  const rows = await db.rows<{ worker_type: WorkerType; max_supply: number; sold: number }>(readSupply)
  const types = WORKER_TYPES.map((type): [WorkerType, TypeOnWire] => {
    const { name, price, ratePerHour } = WORKERS[type]
    const { max_supply: maxSupply, sold } = rows.find((row) => row.worker_type === type) ?? {
      max_supply: 0,
      sold: 0,
    }
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

/** A player's workers as of `now`, oldest first. */
export async function readOwnedWorkers(
  db: Db,
  { wallet, now }: { wallet: string; now: Date },
): Promise<z.output<typeof OwnedWorker>[]> {
  type Row = {
    worker_id: string
    worker_type: WorkerType
    base: bigint
    rate_per_hour: number
    since: Date
    claimed: bigint
    purchased_at: Date
  }
  const rows = await db.rows<Row>(readOwned, [wallet])
  return rows.map((row) => {
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
}
