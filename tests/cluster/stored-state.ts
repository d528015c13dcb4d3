import { Client } from 'pg'
import type { State } from '#tests/histories/history.ts'

// One statement, so one snapshot: the signer goes on meanwhile.
const READ = `select json_build_object(
  'balances', (select coalesce(json_object_agg(wallet, amount), '{}') from
    (select wallet, round(sum(balance) / 1000000, 6)::text as amount from accounts where wallet = any ($1) group by wallet) b),
  'workers', (select coalesce(json_agg(json_build_object('id', worker_id, 'wallet', wallet, 'type', worker_type,
    'claimed', round(claimed::numeric / 1000000, 6)::text)), '[]') from workers),
  'supply', (select json_object_agg(worker_type, json_build_object('sold', sold, 'max', max_supply)) from worker_types),
  'owners', (select coalesce(json_object_agg(parcel_id, wallet), '{}') from land),
  'listings', (select coalesce(json_agg(json_build_object('id', id, 'parcelId', parcel_id, 'seller', seller,
    'price', price / 1000000, 'state', state, 'buyer', buyer)), '[]') from listings),
  'withdrawals', (select coalesce(json_agg(json_build_object('id', id, 'wallet', wallet,
    'amount', round((deposited + earned)::numeric / 1000000, 6)::text,
    'cancelled', cancelled_at is not null, 'refunded', state = 'refunded', 'paid', state = 'finalized')), '[]') from withdrawals),
  'deposits', (select coalesce(json_agg(json_build_object('signature', signature, 'wallet', wallet,
    'amount', round(amount / 1000000, 6)::text)), '[]') from receipts where asset = 'cotton' and state = 'credited')
) as state`

/** What the primary has stored, for the checker of histories. It reads the tables and uses none of the game's code. */
export async function readState(url: string, wallets: readonly string[]): Promise<State> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  // It ends with the connection.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ state: Omit<State, 'event' | 'at'> }>(READ, [wallets])
    return { event: 'state', at: performance.now(), ...rows[0]!.state }
  } finally {
    await client.end()
  }
}
