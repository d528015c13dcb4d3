import { Pool, type PoolClient } from 'pg'
import { v7 as uuid } from 'uuid'
import { baseUnits } from '#game/cotton.ts'
import { nextPrice } from '#game/parcels.ts'
import { keyFor, type Wish } from './buyers.ts'
import { REGION } from './sell-out.ts'

/**
 * The base: a purchase as it is written first. It reads each row and locks it, works out the next, and writes it,
 * one statement after the other, in the order in which one thinks of them. It writes the very rows that the product
 * writes. Answers false where the parcel has an owner.
 */
export async function buyBare(pool: Pool, wish: Wish): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const bought = await readThenWrite(client, wish)
    await client.query(bought ? 'commit' : 'rollback')
    return bought
  } finally {
    client.release()
  }
}

/** As many connections as the product's api has. */
export function openBarePool(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 10, application_name: 'bench-bare' })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  return pool
}

async function readThenWrite(client: PoolClient, { wallet, parcelId, player }: Wish): Promise<boolean> {
  const run = async (name: string, text: string, values: unknown[]) =>
    (await client.query<Record<string, string>>({ name, text, values })).rows

  const [continent] = await run('bare-price', 'select price from continents where code = $1 for update', [
    REGION,
  ])
  const owned = await run('bare-owned', 'select 1 from land where parcel_id = $1', [parcelId])
  if (owned.length > 0) return false
  const price = baseUnits(BigInt(continent!.price!))
  const [account] = await run(
    'bare-balance',
    `select balance, version from accounts where wallet = $1 and class = 'deposited' for update`,
    [wallet],
  )
  const balance = BigInt(account!.balance!) - price
  const version = BigInt(account!.version!) + 1n
  if (balance < 0n) return false

  const id = uuid()
  await run(
    'bare-journal',
    `insert into journals (id, wallet, kind, at, detail) values ($1, $2, 'parcel', now(), $3)`,
    [id, wallet, JSON.stringify({ parcelId, price: Number(price / 1_000_000n) })],
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
  await run(
    'bare-land',
    `insert into land (parcel_id, region, wallet, price_paid, journal_id, bought_at) values ($1, $2, $3, $4, $5, now())`,
    [parcelId, REGION, wallet, price, id],
  )
  await run(
    'bare-move',
    'update continents set price = $2, owned = owned + 1, version = version + 1 where code = $1',
    [REGION, nextPrice(price)],
  )
  const { route, key, bodyHash } = keyFor({ wallet, parcelId, player })
  await run(
    'bare-key',
    `insert into idempotency_keys (wallet, route, key, body_hash, answer, at) values ($1, $2, $3, $4, $5, now())`,
    [wallet, route, key, bodyHash, JSON.stringify({ success: true, parcelId, balance: String(balance) })],
  )
  return true
}
