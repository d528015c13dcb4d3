import { formatCotton, toWire } from '#game/cotton.ts'
import { splitPayment, primarySaleEntries, totalOf } from '#game/credit.ts'
import { workerId, type WorkerType, WORKERS } from '#game/workers.ts'
import { runOnce, type ActionRequest } from '#server/actions/run-once.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import { type Answer, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'

export type Hire = ActionRequest & { workerType: WorkerType }
export type HireReply = {
  success: true
  worker: { workerId: string; workerType: WorkerType }
  message: string
  newBalance: number
}

// The supply is what every buyer wants at once, so it is locked last and for the shortest time.
const lockSupply = sql(
  'hire-lock-supply',
  `select worker_type, max_supply, sold from worker_types
   where worker_type = any($1::text[]) order by worker_type for update`,
)

const sellSupply = sql(
  'hire-sell-supply',
  `update worker_types t set sold = s.sold from unnest($1::text[], $2::integer[]) as s (worker_type, sold)
   where t.worker_type = s.worker_type and t.sold <> s.sold`,
)

const addWorkers = sql(
  'hire-add-workers',
  `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
   select wallet, worker_id, worker_type, rate, $5, $5
   from unnest($1::text[], $2::text[], $3::text[], $4::integer[]) as hired (wallet, worker_id, worker_type, rate)`,
)

/** Hires workers: many requests in, one answer each, in their order. The supply is never oversold. */
export async function hire(tx: Tx, hires: readonly Hire[], clock: Clock): Promise<Answer<HireReply>[]> {
  const act = async (ledger: Ledger, fresh: readonly Hire[], now: Date, supply: Supply) => {
    const hired: { wallet: string; workerId: string; type: WorkerType }[] = []
    const answers = fresh.map(({ wallet, workerType: type }) => {
      const { name, price } = WORKERS[type]
      const stock = supply.get(type)
      if (!stock || stock.sold >= stock.max_supply) return refused('sold_out', { name })
      const balances = ledger.balances(wallet)
      const paid = splitPayment(balances, price)
      if (!paid) {
        return refused('not_enough_credit', {
          required: formatCotton(price),
          available: formatCotton(totalOf(balances)),
        })
      }
      stock.sold += 1
      const id = workerId(type, stock.sold)
      hired.push({ wallet, workerId: id, type })
      ledger.post({
        wallet,
        kind: 'hire',
        at: now,
        detail: { workerId: id },
        entries: primarySaleEntries(wallet, paid),
      })
      return granted<HireReply>({
        success: true,
        worker: { workerId: id, workerType: type },
        message: `Successfully purchased ${id}!`,
        newBalance: toWire(totalOf(ledger.balances(wallet))),
      })
    })
    if (hired.length > 0) {
      void tx.rows(addWorkers, [
        hired.map((each) => each.wallet),
        hired.map((each) => each.workerId),
        hired.map((each) => each.type),
        hired.map((each) => WORKERS[each.type].ratePerHour),
        now,
      ])
      void tx.rows(sellSupply, [[...supply.keys()], [...supply.values()].map((stock) => stock.sold)])
    }
    return answers
  }
  return runOnce(tx, hires, clock, act, { lockAndRead: () => lockAndReadSupply(tx, hires) })
}

type Stock = { worker_type: WorkerType; max_supply: number; sold: number }
type Supply = Map<WorkerType, Stock>

async function lockAndReadSupply(tx: Tx, hires: readonly Hire[]): Promise<Supply> {
  const rows = await tx.rows<Stock>(lockSupply, [[...new Set(hires.map((each) => each.workerType))]])
  return new Map(rows.map((row) => [row.worker_type, row]))
}
