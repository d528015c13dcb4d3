import { Client } from 'pg'
import { ANY_SIGNATURE } from './any-signature.ts'

/** Who owns the rows, and what land the listings are of. */
export type RowOwners = { wallet: string; buyer: string; parcelId: string; region: string }

const NEWEST = `'2026-01-05T11:00:00Z'::timestamptz`

/** The indexes that belong to no constraint. Creating one over all rows is faster than adding row by row. */
const SECONDARY_INDEXES = `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace
    and not exists (select from pg_constraint where conindid = i.indexrelid)`

/**
 * Inserts `rows` rows of one player into each table that grows with play: listings, the newest half of them cancelled and
 * the others sold, ledger entries, workers, withdrawals with payouts, receipts and sessions. Between two receipts that are
 * not credited lie twenty that are, so that a read along the wrong index discards most of what it reads. Also inserts
 * `rows` other players with deposit addresses and a milestone. The rows are inserted as the owner and past all triggers, which takes
 * seconds for a million. The ledger does not balance afterwards. `growMore` inserts further rows, past triggers as well.
 */
export async function growTables(
  url: string,
  rows: number,
  { wallet, buyer, parcelId, region }: RowOwners,
  growMore: (client: Client) => Promise<void> = async () => undefined,
): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const insertRows = (text: string, ...values: unknown[]) => client.query(text, [rows, wallet, ...values])
  try {
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB'`,
    )
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(SECONDARY_INDEXES)
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    await client.query(
      `insert into land (parcel_id, region, wallet, price_paid, journal_id, bought_at)
       values ($1, $2, $3, 1000000, gen_random_uuid(), ${NEWEST} - interval '1000 days')`,
      [parcelId, region, wallet],
    )
    await insertRows(
      `insert into listings (id, parcel_id, seller, price, state, listed_at, buyer, journal_id, closed_at)
       select gen_random_uuid(), $4, $2, 1000000, case when sold then 'sold' else 'cancelled' end, at,
         case when sold then $3 end,
         case when sold then rpad(lpad(to_hex($1::int - n), 12, '0') || '7000a', 32, '0')::uuid end, at
       from (select n, n > $1::int / 2 as sold, ${NEWEST} - n * interval '10 s' as at from generate_series(1, $1::int) n) s`,
      buyer,
      parcelId,
    )
    await client.query(
      `insert into listings (id, parcel_id, seller, price, listed_at)
       values (gen_random_uuid(), $1, $2, 1000000, ${NEWEST})`,
      [parcelId, wallet],
    )
    await insertRows(
      `with moved as (
         insert into journals (id, wallet, kind, at, detail)
         select rpad(lpad(to_hex(n), 12, '0') || '70008', 32, '0')::uuid, $2, 'adjustment', ${NEWEST} - ($1::int - n) * interval '10 s', '{}'
         from generate_series(1, $1::int) n returning id
       )
       insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
       select $2, id, 1, 'deposited', 1, 1, row_number() over () from moved`,
    )
    await insertRows(
      `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
       select $2, 'kid-' || lpad(n::text, 8, '0'), 'kid', 5000, ${NEWEST}, ${NEWEST} - ($1::int - n) * interval '1 s'
       from generate_series(1, $1::int) n`,
    )
    await client.query(
      `insert into milestones (wallet, code, granted_at)
       select 'wallet ' || n, 'kid-2', ${NEWEST} from generate_series(1, $1::int) n`,
      [rows],
    )
    await insertRows(
      `insert into withdrawals (id, wallet, deposited, earned, hold_id, state, day, requested_at, settled_at, nonce, wallet_signature)
       select gen_random_uuid(), $2, 1000000, 0, gen_random_uuid(), 'finalized', '2025-01-01',
         ${NEWEST} - n * interval '10 s', ${NEWEST}, ${ANY_SIGNATURE}
       from generate_series(1, $1::int) n`,
    )
    await client.query(
      `insert into payouts (withdrawal_id, signature, signed_at) select id, id || ' 1', requested_at from withdrawals`,
    )
    await client.query(
      `insert into payout_replacements (withdrawal_id, attempt, signature, wire, unit_price, signed_at)
       select id, 2, id || ' 2', '', 1000, requested_at from withdrawals`,
    )
    await client.query(
      `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at)
       select 1 + n, 'owner ' || n, 'account ' || n, 'wallet ' || n, ${NEWEST} from generate_series(1, $1::int) n`,
      [rows],
    )
    await client.query(
      `insert into reward_day_wallets (day, wallet, spent)
       select '2026-01-05', 'wallet ' || n, 1 from generate_series(1, $1::int) n`,
      [rows],
    )
    await insertRows(
      `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at, credited_at, journal_id, told_at)
       select 'to ' || n, 'account', $2, 'cotton', 1000000, n, 'credited', ${NEWEST} - n * interval '10 s', ${NEWEST},
         gen_random_uuid(), ${NEWEST}
       from generate_series(1, $1::int) n`,
    )
    await insertRows(
      `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, why, seen_at)
       select rpad(translate(n::text, '0', 'A') || 'x', 88, '1'), rpad('account', 44, '1'), $2, 'other_token', 'mint', 1, n,
         'unclaimed', 'other_token', ${NEWEST} - n * interval '200 s'
       from generate_series(1, $1::int) n`,
    )
    await insertRows(
      `insert into sessions (token_hash, wallet, created_at, seen_at, ended_at)
       select sha256(n::text::bytea), $2, ${NEWEST} - n * interval '10 s', ${NEWEST} - n * interval '9 s', ${NEWEST}
       from generate_series(1, $1::int) n`,
    )
    await growMore(client)
    for (const { definition } of indexes) await client.query(definition)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
