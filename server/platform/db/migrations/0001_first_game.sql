-- Every player row carries its wallet, and no foreign key leads from one wallet to another's rows:
-- the schema can be distributed by wallet.

-- Players ----------------------------------------------------------------------------------------

create table users (
  wallet text primary key,
  created_at timestamptz not null
);

-- One live nonce for each wallet; a newer one replaces it.
create table nonces (
  wallet text primary key,
  nonce text not null,
  expires_at timestamptz not null
);
create index nonces_by_expiry on nonces (expires_at);

create table sessions (
  -- SHA-256 of the token; the token itself is nowhere.
  token_hash bytea primary key,
  wallet text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_by_wallet on sessions (wallet);

create table idempotency_keys (
  wallet text not null,
  route text not null,
  key text not null,
  body_hash bytea not null,
  answer jsonb not null,
  at timestamptz not null,
  primary key (wallet, route, key)
);
create index idempotency_keys_by_age on idempotency_keys (at);

-- The ledger -------------------------------------------------------------------------------------

create type credit_class as enum ('deposited', 'earned');
create type ledger_account as enum ('deposited', 'earned', 'emission', 'treasury', 'pool', 'burned', 'held');
create type move_kind as enum (
  'deposit', 'claim', 'hire', 'parcel', 'resale', 'withdrawal', 'settlement', 'refund', 'funding', 'adjustment'
);

-- Base units: 1 $COTTON is 1,000,000.
create table accounts (
  wallet text not null,
  class credit_class not null,
  balance bigint not null default 0 check (balance >= 0),
  version bigint not null default 0 check (version >= 0),
  primary key (wallet, class)
) with (fillfactor = 80);

create table journals (
  id uuid primary key,
  wallet text not null,
  kind move_kind not null,
  at timestamptz not null,
  detail jsonb not null
);

-- A line of a player's account carries the balance after it and the account's version; the world's lines carry neither.
create table entries (
  wallet text not null,
  journal_id uuid not null,
  line smallint not null,
  account ledger_account not null,
  amount bigint not null check (amount <> 0),
  balance_after bigint check (balance_after >= 0),
  version bigint check (version > 0),
  primary key (wallet, journal_id, line),
  check ((account in ('deposited', 'earned')) = (version is not null)),
  check ((version is null) = (balance_after is null))
);
create unique index entries_by_version on entries (wallet, account, version) where version is not null;
create index entries_of_reserves on entries (account) include (amount) where account in ('treasury', 'pool', 'held');

-- The entries of a journal come in one statement, so the statement can be held to zero.
create function entries_must_balance() returns trigger language plpgsql as $$
begin
  if exists (select from added group by journal_id having sum(amount) <> 0) then
    raise exception 'the entries of a journal do not sum to zero';
  end if;
  return null;
end $$;
create trigger entries_balance after insert on entries
  referencing new table as added for each statement execute function entries_must_balance();

create function history_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function history_is_append_only();
create trigger journals_append_only before update or delete or truncate on journals
  for each statement execute function history_is_append_only();

-- Workers ----------------------------------------------------------------------------------------

create table worker_types (
  worker_type text primary key,
  max_supply integer not null check (max_supply >= 0),
  sold integer not null default 0 check (sold >= 0 and sold <= max_supply)
) with (fillfactor = 50);
insert into worker_types (worker_type, max_supply) values
  ('kid', 10000), ('grandma', 5000), ('grandad', 2000), ('bigman', 1000);

create table workers (
  wallet text not null,
  worker_id text not null,
  worker_type text not null,
  -- Generated so far is base + rate × time since; claimed only grows (design: money and time).
  base bigint not null default 0 check (base >= 0),
  rate_per_hour integer not null check (rate_per_hour > 0),
  since timestamptz not null,
  claimed bigint not null default 0 check (claimed >= 0),
  purchased_at timestamptz not null,
  primary key (wallet, worker_id)
) with (fillfactor = 80);

-- Deposits ---------------------------------------------------------------------------------------

-- The signer makes addresses ahead; a player takes the lowest free one.
create table deposit_addresses (
  index integer primary key check (index > 0),
  owner text not null unique,
  token_account text not null unique,
  wallet text unique,
  assigned_at timestamptz,
  -- The newest transaction that was read to the end; watching goes on after it. The token account and the owner
  -- have each a history of their own.
  cursor_signature text,
  cursor_slot bigint not null default 0,
  owner_cursor_signature text,
  owner_cursor_slot bigint not null default 0,
  check ((wallet is null) = (assigned_at is null))
);

-- Everything that arrived, credited or not.
create table receipts (
  signature text not null,
  token_account text not null,
  wallet text not null,
  asset text not null check (asset in ('cotton', 'sol', 'other_token')),
  mint text,
  amount numeric(30, 0) not null check (amount > 0),
  slot bigint not null,
  state text not null check (state in ('pending', 'credited', 'unclaimed', 'dropped')),
  seen_at timestamptz not null,
  credited_at timestamptz,
  journal_id uuid,
  -- Told to the player by check-deposit.
  told_at timestamptz,
  primary key (signature, token_account, asset),
  check ((state = 'credited') = (journal_id is not null))
);
create index receipts_by_wallet on receipts (wallet, seen_at desc);
create index receipts_untold on receipts (wallet) where state = 'credited' and told_at is null;

-- Transfers prepared for a session, so that only these are sent on.
create table prepared_deposits (
  message_hash bytea primary key,
  wallet text not null,
  amount bigint not null check (amount > 0),
  at timestamptz not null
);
create index prepared_deposits_by_age on prepared_deposits (at);

-- Deposit accounts emptied into the treasury: the chain is the truth, the ledger does not move.
create table sweeps (
  id uuid primary key,
  token_account text not null,
  amount bigint not null check (amount > 0),
  signature text not null,
  wire bytea not null,
  -- Behind this block height the bytes can never land.
  last_valid_height bigint not null,
  state text not null check (state in ('signed', 'finalized', 'failed')),
  at timestamptz not null
);
create unique index sweeps_open on sweeps (token_account) where state = 'signed';

-- Withdrawals ------------------------------------------------------------------------------------

create table withdrawal_challenges (
  nonce text primary key,
  wallet text not null,
  amount bigint not null check (amount > 0),
  expires_at timestamptz not null
);
create index withdrawal_challenges_by_expiry on withdrawal_challenges (expires_at);

create table withdrawals (
  id uuid primary key,
  wallet text not null,
  deposited bigint not null check (deposited >= 0),
  earned bigint not null check (earned >= 0),
  -- The journal that holds its tokens; none backs two withdrawals.
  hold_id uuid not null unique,
  state text not null default 'requested' check (state in ('requested', 'review', 'approved', 'signed', 'sent', 'finalized', 'refunded')),
  reason text,
  day date not null,
  requested_at timestamptz not null,
  settled_at timestamptz,
  check (deposited + earned > 0)
);
create index withdrawals_by_wallet on withdrawals (wallet, requested_at desc);
create index withdrawals_open on withdrawals (requested_at) where state not in ('finalized', 'refunded');

-- What was signed for a withdrawal, stored before it is sent; the same bytes are sent until they are final.
-- Only the signature is known of a payout that was found on the chain after a backup was restored.
create table payouts (
  withdrawal_id uuid primary key,
  lane integer,
  nonce text,
  signature text not null unique,
  wire bytea,
  signed_at timestamptz not null,
  unique (lane, nonce),
  check (num_nulls(lane, nonce, wire) in (0, 3))
);

-- A lane is one durable-nonce account: one payout at a time.
create table lanes (
  lane integer primary key,
  nonce_account text not null unique,
  withdrawal_id uuid unique
);

-- Earned credit that may leave on a UTC day, for the world and for each wallet. The day's row is locked by each request.
create table reward_days (
  day date primary key,
  budget bigint not null check (budget >= 0),
  spent bigint not null default 0 check (spent >= 0)
);
create table reward_day_wallets (
  day date not null,
  wallet text not null,
  spent bigint not null default 0 check (spent >= 0),
  primary key (day, wallet)
);

-- What runs ---------------------------------------------------------------------------------------

-- Facts of this instance: genesis hash and mint that its books belong to, switches of the operator.
create table settings (
  name text primary key,
  value jsonb not null,
  at timestamptz not null default now()
);

-- Who may do what ---------------------------------------------------------------------------------
-- The logins are made before the first migration. Nobody but the owner may change or delete history.

grant usage on schema public to api, watcher, signer, readonly;

grant select, insert on users to api;
grant select, insert, update, delete on nonces, idempotency_keys, prepared_deposits, withdrawal_challenges to api;
grant select, insert, update on sessions to api;

grant select, insert, update on accounts to api, watcher, signer;
grant select, insert on journals, entries to api, watcher, signer;

grant select, update (sold) on worker_types to api;
grant select, insert, update (base, since, claimed) on workers to api;

grant select, update (wallet, assigned_at) on deposit_addresses to api;
grant update (cursor_signature, cursor_slot, owner_cursor_signature, owner_cursor_slot) on deposit_addresses to api, watcher;
grant select on deposit_addresses to watcher;
grant select, insert on deposit_addresses to signer;
grant select, insert, update on receipts to api, watcher;
grant select on receipts to signer;
grant select, insert, update on sweeps to signer;

-- Only the signer says what becomes of a request.
grant select, insert (id, wallet, deposited, earned, hold_id, day, requested_at) on withdrawals to api;
grant select, update (state, reason, settled_at) on withdrawals to signer;
grant select (withdrawal_id, signature, signed_at) on payouts to api;
grant select, insert on payouts to signer;
grant select, insert, update on lanes to signer;
grant select, insert, update on reward_days, reward_day_wallets to api, signer;

grant select on settings to api, watcher;
grant select, insert, update on settings to signer;

grant select on accounts, journals, entries, worker_types, workers, deposit_addresses, receipts, sweeps,
  withdrawals, payouts, lanes, reward_days, reward_day_wallets, settings, users to readonly;
