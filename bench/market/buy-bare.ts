import type { Pool, PoolClient } from 'pg'
import { v7 as uuid } from 'uuid'
import { keyForPurchase, type Offered } from './traders.ts'

/**
 * The base: a resale as it is written first. It reads each row and locks it, works out the next, and writes it, one
 * statement after the other. It writes the very rows that the product writes. The accounts come in the order of their
 * wallets, without which two of them would wait for each other for ever.
 */
export async function buyBare(pool: Pool, offered: Offered): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const bought = await readThenWrite(client, offered)
    await client.query(bought ? 'commit' : 'rollback')
    return bought
  } finally {
    client.release()
  }
}

async function readThenWrite(client: PoolClient, { listingId, wish }: Offered): Promise<boolean> {
  const run = async (name: string, text: string, values: unknown[]) =>
    (await client.query<Record<string, string>>({ name, text, values })).rows
  const { wallet: buyer, parcelId } = wish

  const [listing] = await run('bare-listing', 'select seller, price, state from listings where id = $1', [
    listingId,
  ])
  const seller = listing!.seller!
  const accounts = await run(
    'bare-balances',
    `select wallet, balance, version from accounts
     where wallet in ($1, $2) and class = 'deposited' order by wallet for update`,
    [buyer, seller],
  )
  const region = parcelId.slice(0, 2)
  await run('bare-continent', 'select version from continents where code = $1 for update', [region])
  const [land] = await run('bare-owner', 'select wallet from land where parcel_id = $1 for update', [
    parcelId,
  ])
  const [locked] = await run('bare-state', 'select state from listings where id = $1 for update', [listingId])
  const price = BigInt(listing!.price!)
  const fee = price / 10n
  const after = (wallet: string, amount: bigint) => {
    const row = accounts.find((each) => each.wallet === wallet)!
    return { balance: BigInt(row.balance!) + amount, version: BigInt(row.version!) + 1n }
  }
  const [paid, got] = [after(buyer, -price), after(seller, price - fee)]
  if (locked!.state !== 'active' || land!.wallet !== seller || paid.balance < 0n) return false

  const id = uuid()
  await run(
    'bare-journal',
    `insert into journals (id, wallet, kind, at, detail) values ($1, $2, 'resale', now(), $3)`,
    [id, buyer, JSON.stringify({ listingId, parcelId, price: Number(price / 1_000_000n) })],
  )
  await run(
    'bare-entries',
    `insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
     values ($1, $3, 0, 'deposited', -$4::bigint, $5, $6),
       ($2, $3, 1, 'deposited', $4::bigint - $9::bigint, $7, $8), ($2, $3, 2, 'pool', $9::bigint, null, null)`,
    [buyer, seller, id, price, paid.balance, paid.version, got.balance, got.version, fee],
  )
  for (const [wallet, { balance, version }] of [
    [buyer, paid],
    [seller, got],
  ] as const) {
    await run(
      'bare-charge',
      `update accounts set balance = $2, version = $3 where wallet = $1 and class = 'deposited'`,
      [wallet, balance, version],
    )
  }
  await run(
    'bare-close',
    `update listings set state = 'sold', buyer = $2, journal_id = $3, closed_at = clock_timestamp() where id = $1`,
    [listingId, buyer, id],
  )
  await run('bare-hand-over', 'update land set wallet = $2 where parcel_id = $1', [parcelId, buyer])
  await run('bare-bump', 'update continents set version = version + 1 where code = $1', [region])
  const { route, key, bodyHash } = keyForPurchase()
  await run(
    'bare-key',
    `insert into idempotency_keys (wallet, route, key, body_hash, answer, at) values ($1, $2, $3, $4, $5, now())`,
    [buyer, route, key, bodyHash, JSON.stringify({ success: true, parcelId, balance: String(paid.balance) })],
  )
  return true
}
