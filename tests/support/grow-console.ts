import { Client } from 'pg'
import { ANY_SIGNATURE } from './any-signature.ts'

const JOURNALS_EACH = 5

const NEWEST = `'2026-01-05T11:00:00Z'::timestamptz`

/** A wallet of the players that `growConsole` makes: base58 letters only, spread over all beginnings. */
const walletOf = (n: string): string => `rpad(translate(md5((${n})::text), '0abcdef', '1ABCDEF'), 44, '1')`

/** The wallet of the first of these players, as `walletOf` writes it. */
export const FIRST_PLAYER = `select ${walletOf('1')} as wallet`

/**
 * Inserts `players` players with balances, five journals each with two entries, and as many withdrawals, receipts, log
 * lines and signed acts as players. One in ten withdrawals is open. Rows are inserted as the owner and past all triggers:
 * the ledger does not balance afterwards.
 */
export async function growConsole(url: string, players: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const insert = (text: string, count = players) => client.query(text, [count])
  try {
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB'`,
    )
    await insert(
      `insert into users (wallet, created_at)
       select ${walletOf('n')}, ${NEWEST} - n * interval '1 s' from generate_series(1, $1::int) n`,
    )
    await insert(
      `insert into accounts (wallet, class, balance, version)
       select ${walletOf('n')}, class, 1000000, 1 from generate_series(1, $1::int) n, unnest(enum_range(null::credit_class)) class`,
    )
    await insert(
      `insert into journals (id, wallet, kind, at, detail)
         select rpad(lpad(to_hex((extract(epoch from ${NEWEST}) * 1000)::bigint - ($1::int - n) * 100), 12, '0') || '7000' ||
             lpad(to_hex(n), 8, '0'), 32, '0')::uuid, ${walletOf('n % ($1::int / 10) + 1')},
           (case when n % 10 = 0 then 'hire' when n % 1000 = 1 then 'deposit' else 'claim' end)::move_kind,
           ${NEWEST} - ($1::int - n) * interval '100 ms', '{}'
         from generate_series(1, $1::int) n`,
      players * JOURNALS_EACH,
    )
    await client.query(
      `insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
       select wallet, id, line, (case line when 0 then 'emission' else 'earned' end)::ledger_account,
         case line when 0 then -5000000 else 5000000 end, case line when 1 then 5000000 end,
         case line when 1 then ('x' || left(translate(id::text, '-', ''), 12))::bit(48)::bigint end
       from journals, generate_series(0, 1) line`,
    )
    await insert(
      `insert into withdrawals (id, wallet, deposited, earned, hold_id, state, day, requested_at, judged_at, settled_at, nonce, wallet_signature)
       select gen_random_uuid(), ${walletOf('n')}, 1000000, 0, gen_random_uuid(),
         case when n % 10 = 0 then (array['requested', 'review', 'approved', 'signed', 'sent'])[n / 10 % 5 + 1]
           when n % 10 = 1 then 'refunded' else 'finalized' end,
         '2026-01-05', at, at, at, ${ANY_SIGNATURE}
       from generate_series(1, $1::int) n, lateral (select ${NEWEST} - n * interval '1 s' as at) t`,
    )
    await client.query(
      `insert into payouts (withdrawal_id, signature, signed_at) select id, id, requested_at from withdrawals`,
    )
    await insert(
      `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, why, seen_at, credited_at, journal_id)
       select 'to ' || n, 'account ' || n, case when kind <> 2 then ${walletOf('n')} end,
         case when kind in (0, 3) then 'cotton' else 'other_token' end, 'mint', 1000000, n,
         case kind when 0 then 'credited' when 3 then 'pending' else 'unclaimed' end,
         case kind when 1 then 'other_token' when 2 then 'of_nobody' end, at,
         case kind when 0 then at end, case kind when 0 then gen_random_uuid() end
       from generate_series(1, $1::int) n, lateral (
         select ${NEWEST} - n * interval '1 s' as at, case when n % 100 < 3 then n % 100 + 1 else 0 end as kind
       ) t`,
    )
    await insert(
      `insert into operator_log (at, who, command, arguments, outcome)
       select ${NEWEST} - ($1::int - n) * interval '1 s', case when n % 2 = 0 then 'ana' else 'bert' end, 'approve', '{}', 'Done.'
       from generate_series(1, $1::int) n`,
    )
    await insert(
      `insert into operator_acts (nonce, kind, details, operator, signature, signed_form, at, expires_at, state, outcome, done_at)
       select md5(n::text), 'resume', '{"kind":"resume"}', ${walletOf('1')}, decode(repeat('00', 64), 'hex'), 'raw', at, at,
         'done', 'Done.', at
       from generate_series(1, $1::int) n, lateral (select ${NEWEST} - n * interval '1 s' as at) t`,
    )
    await client.query(
      `insert into hourly_totals (hour, players, new_players, claims, hires, parcels, resales, volume, deposited, withdrawn, database_bytes)
       select at, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 from generate_series('2025-01-05T00:00:00Z'::timestamptz, ${NEWEST}, '1 hour') at`,
    )
    await client.query(
      `insert into supply_history (at, emitted, burned, spent)
       select at, 1, 1, 1 from generate_series('2025-10-05T00:00:00Z'::timestamptz, ${NEWEST}, '10 min') at`,
    )
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
