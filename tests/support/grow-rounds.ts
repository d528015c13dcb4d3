import { ANY_SIGNATURE } from './any-signature.ts'
import { growTables } from './grow-tables.ts'

const MONTH_AGO = `now() - interval '30 days'`
const TODAY = `(now() at time zone 'UTC')::date`

/**
 * Inserts `rows` rows into each table that the rounds of watcher and signer read: those of other players, and a long history
 * of one player, who has an account with a deposit address. The player's balance agrees with the entries. Sums that
 * triggers maintain do not contain these rows.
 */
export function growRounds(url: string, { wallet, rows }: { wallet: string; rows: number }): Promise<void> {
  const owners = { wallet: 'seller', buyer: 'buyer', parcelId: 'EU-FR', region: 'EU' }
  return growTables(url, rows, owners, async (client) => {
    const run = (text: string, ...values: unknown[]) => client.query(text, values)
    await run(
      `insert into entries (wallet, journal_id, line, account, amount)
       select wallet, id, 2, 'pool', 1 from journals where wallet = 'seller'`,
    )
    // The ids are older than those of the player's other journals.
    await run(
      `with moved as (
         insert into journals (id, wallet, kind, at, detail)
         select rpad(lpad(to_hex(n), 12, '0') || '70009', 32, '0')::uuid, $2,
           (array['claim', 'withdrawal', 'settlement', 'refund', 'cancellation']::move_kind[])[1 + n % 5], ${MONTH_AGO},
           jsonb_build_object('withdrawalId', gen_random_uuid())
         from generate_series(1, $1::int) n returning id
       ), account as (
         update accounts set balance = balance + $1::int, version = version + $1::int
         where wallet = $2 and class = 'deposited' returning version
       )
       insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
       select $2, id, 1, 'deposited', 1, 1, account.version + 1 - row_number() over () from moved, account`,
      rows,
      wallet,
    )
    await run(
      `insert into checked_balances (wallet, class, version, total)
       select wallet, class, version, balance from accounts where wallet = $1 and class = 'deposited'`,
      wallet,
    )
    // Every second payout is the player's.
    await run(
      `update withdrawals set wallet = $1, judged_at = ${MONTH_AGO}, settled_at = ${MONTH_AGO} where id::text < '8'`,
      wallet,
    )
    // Within the last hour the player has cancelled some of today that the signer had reviewed.
    await run(
      `insert into withdrawals (id, wallet, deposited, earned, hold_id, state, day, requested_at, judged_at, settled_at, nonce, wallet_signature)
       select gen_random_uuid(), $2, 1, 0, gen_random_uuid(), 'refunded', ${TODAY}, ${MONTH_AGO}, now(), ${MONTH_AGO}, ${ANY_SIGNATURE}
       from generate_series(1, $1::int / 10) n`,
      rows,
      wallet,
    )
    await run(
      `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at, credited_at, journal_id, told_at)
       select 'of player ' || n, token_account, wallet, 'cotton', 1, 1, 'credited', ${MONTH_AGO}, ${MONTH_AGO},
         gen_random_uuid(), now()
       from generate_series(1, $1::int) n, deposit_addresses where wallet = $2`,
      rows,
      wallet,
    )
    // Newer than these deposits is what others have sent to the player's address.
    await run(
      `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, why, seen_at)
       select 'sol ' || n, owner, wallet, 'sol', 1, 1, 'unclaimed', 'sol', ${MONTH_AGO} + n * interval '1 second'
       from generate_series(1, $1::int) n, deposit_addresses where wallet = $2`,
      rows,
      wallet,
    )
    await run(
      `insert into sweeps (id, token_account, amount, signature, wire, last_valid_height, state, at)
       select gen_random_uuid(), token_account, 1, 'sweep ' || n, '', 1,
         case when n % 10 = 0 then 'failed' else 'finalized' end, ${MONTH_AGO}
       from generate_series(1, $1::int) n, deposit_addresses where wallet = $2`,
      rows,
      wallet,
    )
    await run(
      `insert into users (wallet, created_at, seen_at) select 'wallet ' || n, ${MONTH_AGO}, now()
       from generate_series(1, $1::int) n on conflict do nothing`,
      rows,
    )
    await run(
      `insert into supply_history (at, emitted, burned, spent)
       select now() - (1 + n) * interval '10 minutes', 1, 1, 1 from generate_series(1, $1::int) n`,
      rows,
    )
    await run(
      `insert into hourly_totals (hour, players, new_players, claims, hires, parcels, resales, volume, deposited, withdrawn)
       select date_trunc('hour', now()) - (2 + n) * interval '1 hour', 1, 1, 1, 1, 1, 1, 1, 1, 1
       from generate_series(1, $1::int) n`,
      rows,
    )
    await run(
      `insert into operator_acts (nonce, kind, withdrawal_id, details, operator, signature, signed_form, at, expires_at, state, outcome, done_at)
       select md5(n::text), 'approve', gen_random_uuid(), '{}', 'an operator', decode(repeat('00', 64), 'hex'), 'raw', ${MONTH_AGO},
         now() + interval '1 day', 'done', 'done', now()
       from generate_series(1, $1::int) n`,
      rows,
    )
    await run(
      `insert into nonces (wallet, nonce, expires_at)
       select 'wallet ' || n, md5(n::text), now() + interval '5 minutes' from generate_series(1, $1::int) n`,
      rows,
    )
    await run(
      `insert into idempotency_keys (wallet, route, key, body_hash, answer, at)
       select 'wallet ' || n, '/r', 'k', '', '{}', now() from generate_series(1, $1::int) n`,
      rows,
    )
  })
}
