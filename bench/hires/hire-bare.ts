import type { Pool, PoolClient } from 'pg'
import { v7 as uuid } from 'uuid'
import { workerId, WORKERS } from '#game/workers.ts'
import { keyForHire, type Hiring } from './hiring.ts'

/**
 * A hire as it is written first: it reads each row and locks it, works out the next, and writes it, one statement
 * after the other. It writes the very rows that the product writes.
 */
export async function hireBare(pool: Pool, hiring: Hiring): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const hired = await readThenWrite(client, hiring)
    await client.query(hired ? 'commit' : 'rollback')
    return hired
  } finally {
    client.release()
  }
}

async function readThenWrite(client: PoolClient, { wallet }: Hiring): Promise<boolean> {
  const run = async (name: string, text: string, values: unknown[]) =>
    (await client.query<Record<string, string>>({ name, text, values })).rows
  const { price, ratePerHour } = WORKERS.kid

  const [account] = await run(
    'bare-balance',
    `select balance, version from accounts where wallet = $1 and class = 'deposited' for update`,
    [wallet],
  )
  const [stock] = await run(
    'bare-supply',
    'select sold, max_supply from worker_types where worker_type = $1 for update',
    ['kid'],
  )
  const sold = Number(stock!.sold) + 1
  const balance = BigInt(account!.balance!) - price
  const version = BigInt(account!.version!) + 1n
  if (balance < 0n || sold > Number(stock!.max_supply)) return false

  const id = uuid()
  const worker = workerId('kid', sold)
  await run('bare-sell', 'update worker_types set sold = $2 where worker_type = $1', ['kid', sold])
  await run(
    'bare-worker',
    `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
     values ($1, $2, 'kid', $3, now(), now())`,
    [wallet, worker, ratePerHour],
  )
  await run(
    'bare-journal',
    `insert into journals (id, wallet, kind, at, detail) values ($1, $2, 'hire', now(), $3)`,
    [id, wallet, JSON.stringify({ workerId: worker })],
  )
  await run(
    'bare-entries',
    `insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
     values ($1, $2, 0, 'deposited', -$3::bigint, $4, $5), ($1, $2, 1, 'pool', $3::bigint, null, null)`,
    [wallet, id, price, balance, version],
  )
  await run(
    'bare-charge',
    `update accounts set balance = $2, version = $3 where wallet = $1 and class = 'deposited'`,
    [wallet, balance, version],
  )
  const { route, key, bodyHash } = keyForHire()
  await run(
    'bare-key',
    `insert into idempotency_keys (wallet, route, key, body_hash, answer, at) values ($1, $2, $3, $4, $5, now())`,
    [
      wallet,
      route,
      key,
      bodyHash,
      JSON.stringify({ success: true, workerId: worker, balance: String(balance) }),
    ],
  )
  return true
}
