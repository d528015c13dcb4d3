-- Dates are finite ------------------------------------------------------------------------------------

-- `infinity` is a date to Postgres and no number to the program, which finds it neither below nor above any bound; the
-- same holds for years that JavaScript cannot count to. No login that serves players may write one. Rows that somebody
-- wrote before get a day long past, which a person looks at.
update withdrawals set day = date '2020-01-01' where not day between date '2020-01-01' and date '2199-12-31';
update withdrawals set requested_at = to_timestamp(0)
where not requested_at between to_timestamp(0) and to_timestamp(253402300799);

-- The rows that are there already are not checked: history is never written again.
do $$
declare
  of record;
begin
  for of in
    select * from (values ('withdrawals', 'day'), ('reward_days', 'day'), ('reward_day_wallets', 'day')) as d (name, col)
  loop
    execute format(
      'alter table %I add check (%I between date ''2020-01-01'' and date ''2199-12-31'') not valid', of.name, of.col
    );
  end loop;
  for of in
    select * from (values
      ('withdrawals', 'requested_at'), ('withdrawals', 'judged_at'), ('withdrawals', 'settled_at'),
      ('withdrawal_challenges', 'expires_at'), ('journals', 'at'), ('idempotency_keys', 'at'),
      ('nonces', 'expires_at'), ('sessions', 'created_at'), ('sessions', 'seen_at'), ('sessions', 'ended_at'),
      ('users', 'created_at'), ('workers', 'since'), ('workers', 'purchased_at'), ('land', 'bought_at'),
      ('listings', 'listed_at'), ('listings', 'closed_at'), ('deposit_addresses', 'assigned_at'),
      ('deposit_addresses', 'retired_at'), ('prepared_deposits', 'at'), ('receipts', 'seen_at'),
      ('receipts', 'credited_at'), ('receipts', 'told_at'), ('solvency', 'at'), ('solvency', 'short_since'),
      ('supply_history', 'at')
    ) as t (name, col)
  loop
    -- The last second of the year 9999.
    execute format(
      'alter table %I add check (%I between to_timestamp(0) and to_timestamp(253402300799)) not valid', of.name, of.col
    );
  end loop;
end $$;

-- Amounts of other tokens may be larger than a bigint; `NaN` is above every number to Postgres.
alter table receipts add check (amount < 'NaN') not valid;

-- What cannot be paid right now waits apart from what can --------------------------------------------

-- When the signer tries an approved withdrawal again, and how often in a row it could not pay it.
alter table withdrawals
  add column retry_at timestamptz,
  add column tries integer not null default 0;
grant update (retry_at, tries) on withdrawals to signer;

-- By state and next try: what waits is not read past to find what can be judged or paid.
drop index withdrawals_open;
create index withdrawals_open on withdrawals (state, retry_at, requested_at, id)
where state not in ('finalized', 'refunded');
-- How many withdrawals of a wallet are open is counted with each request.
create index withdrawals_open_of_wallet on withdrawals (wallet) where state not in ('finalized', 'refunded');

-- Bytes that the chain would take are for the signer alone -------------------------------------------

revoke select on payouts, payout_replacements, sweeps from readonly;
grant select (withdrawal_id, lane, nonce, signature, signed_at, unit_price, opens_account) on payouts to readonly;
grant select (withdrawal_id, attempt, signature, unit_price, signed_at) on payout_replacements to readonly;
grant select (id, token_account, amount, signature, last_valid_height, state, at) on sweeps to readonly;
