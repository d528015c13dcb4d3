import type { ReplyOf } from '#contract/route.ts'
import type { purchaseWorker } from '#contract/workers.ts'
import { formatCotton, toWire } from '#game/cotton.ts'
import { splitPayment, primarySaleEntries, totalOf } from '#game/credit.ts'
import { workerId, type WorkerType, WORKERS } from '#game/workers.ts'
import { runOnce, type ActionRequest } from '#server/actions/run-once.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import { type AnswerOf, granted, refused } from '#server/platform/answer.ts'
import { assert } from '#server/platform/assert.ts'
import type { Clock } from '#server/platform/clock.ts'
import { rowOf, rowset, sql, type Tx } from '#server/platform/db/db.ts'

export type Hire = ActionRequest & { workerType: WorkerType }

type Stock = { worker_type: WorkerType; max_supply: number; sold: number }
type Supply = Map<WorkerType, Stock>

// Every hire of a type contends for its supply row, so that row is locked last and for the shortest time.
const lockSupply = sql({
  name: 'hire-lock-supply',
  params: { types: 'text[]' },
  row: rowOf<Stock>(),
  text: ({ types }) =>
    `select worker_type, max_supply, sold from worker_types
     where worker_type = any(${types}) order by worker_type for update`,
})

const sellSupply = sql({
  name: 'hire-sell-supply',
  params: { supply: rowset({ worker_type: 'text', sold: 'integer' }) },
  text: ({ supply }) =>
    `update worker_types t set sold = supply.sold from ${supply}
     where t.worker_type = supply.worker_type and t.sold <> supply.sold`,
})

const addWorkers = sql({
  name: 'hire-add-workers',
  params: {
    hired: rowset({ wallet: 'text', worker_id: 'text', worker_type: 'text', rate: 'integer' }),
    now: 'timestamptz',
  },
  text: ({ hired, now }) =>
    `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
     select wallet, worker_id, worker_type, rate, ${now}, ${now} from ${hired}`,
})

/** Hires workers: many requests in, one answer each, in their order. No type is sold beyond its supply. */
export async function hire(
  tx: Tx,
  hires: readonly Hire[],
  clock: Clock,
): Promise<AnswerOf<typeof purchaseWorker>[]> {
  const act = async (ledger: Ledger, fresh: readonly Hire[], now: Date, supply: Supply) => {
    const hired: { wallet: string; worker_id: string; worker_type: WorkerType; rate: number }[] = []
    const answers = fresh.map(({ wallet, workerType: type }) => {
      const { name, price, ratePerHour: rate } = WORKERS[type]
      const stock = supply.get(type)
      assert(stock, 'the database has every worker type')
      if (stock.sold >= stock.max_supply) return refused('sold_out', { name })
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
      hired.push({ wallet, worker_id: id, worker_type: type, rate })
      ledger.post({
        wallet,
        kind: 'hire',
        at: now,
        detail: { workerId: id },
        entries: primarySaleEntries(wallet, paid),
      })
      return granted<ReplyOf<typeof purchaseWorker>>({
        success: true,
        worker: { workerId: id, workerType: type },
        message: `Successfully purchased ${id}!`,
        newBalance: toWire(totalOf(ledger.balances(wallet))),
      })
    })
    if (hired.length > 0) {
      tx.send(addWorkers, { hired, now })
      tx.send(sellSupply, { supply: [...supply.values()] })
    }
    return answers
  }
  return runOnce(tx, hires, clock, act, { lockAndRead: () => lockAndReadSupply(tx, hires) })
}

async function lockAndReadSupply(tx: Tx, hires: readonly Hire[]): Promise<Supply> {
  const types = [...new Set(hires.map((each) => each.workerType))]
  const rows = await tx.rows(lockSupply, { types })
  return new Map(rows.map((row) => [row.worker_type, row]))
}
