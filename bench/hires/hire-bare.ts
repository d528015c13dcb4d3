import type { Pool } from 'pg'
import { purchaseWorker } from '#contract/workers.ts'
import { workerId, WORKERS } from '#game/workers.ts'
import { chargeForPool, inTransaction, keepAnswer, lockPurse, writeJournal } from '../bare.ts'
import type { Hiring } from './hiring.ts'

/**
 * A hire as it is written first: it reads each row and locks it, works out the next, and writes it, one statement
 * after the other. It writes the very rows that the product writes.
 */
export function hireBare(pool: Pool, { wallet }: Hiring): Promise<boolean> {
  const { price, ratePerHour } = WORKERS.kid
  return inTransaction(pool, async (run) => {
    const left = await lockPurse(run, { wallet, amount: -price })
    const [stock] = await run(
      'bare-supply',
      'select sold, max_supply from worker_types where worker_type = $1 for update',
      ['kid'],
    )
    const sold = Number(stock!.sold) + 1
    if (left.balance < 0n || sold > Number(stock!.max_supply)) return false
    const worker = workerId('kid', sold)
    await run('bare-sell', 'update worker_types set sold = $2 where worker_type = $1', ['kid', sold])
    await run(
      'bare-worker',
      `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
       values ($1, $2, 'kid', $3, now(), now())`,
      [wallet, worker, ratePerHour],
    )
    const id = await writeJournal(run, { wallet, kind: 'hire', detail: { workerId: worker } })
    await chargeForPool(run, { wallet, id, price, left })
    const answer = { success: true, workerId: worker, balance: String(left.balance) }
    await keepAnswer(run, { wallet, route: purchaseWorker.path, answer })
    return true
  })
}
