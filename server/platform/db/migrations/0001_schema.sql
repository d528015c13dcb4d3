-- The schema of Cotton Farm 0.1.0. Amounts are base units: 1 $COTTON is 1,000,000.
--
-- Every row of a player carries the wallet, and no foreign key leads from one wallet's rows to another's, so the schema
-- can be distributed by wallet. The rights of each login stand beside its tables; the logins exist before this file runs.

grant usage on schema public to api, watcher, signer, readonly;

-- A role compares the schema with its own migrations before it starts.
grant select on schema_migrations to api, watcher, signer, readonly;

-- Players ------------------------------------------------------------------------------------------

create table users (
  wallet text primary key,
  created_at timestamptz not null,
  -- When the player was last seen in a session that has been removed since.
  seen_at timestamptz
);
grant select, insert, update (seen_at) on users to api;
grant select on users to readonly;

-- Used login nonces, until they are too old to be used again. A nonce that is not used yet is not stored: it carries
-- its time and a MAC.
create table nonces (
  wallet text not null,
  nonce text primary key,
  expires_at timestamptz not null
);
create index nonces_by_expiry on nonces (expires_at);
grant select, insert, update, delete on nonces to api;

-- Failed logins of an address and for a wallet, which are hashes here. All api processes count together.
create table login_failures (
  name bytea primary key,
  count double precision not null check (count between 0 and 60),
  at timestamptz not null
) with (fillfactor = 50);
create index login_failures_by_age on login_failures (at);
grant select, insert, update, delete on login_failures to api;

-- The key of these MACs. Every api process reads it here; no other login can.
create table login_key (
  one boolean primary key default true check (one),
  key bytea not null check (octet_length(key) = 32)
);
insert into login_key (key)
values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));
grant select on login_key to api;

create table sessions (
  -- SHA-256 of the token. The token itself is not stored.
  token_hash bytea primary key,
  wallet text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz,
  -- How players name a session. Not the hash, because a hash finds the row of a token.
  id uuid not null default gen_random_uuid() unique,
  -- What the browser says it is, and where it was: an address without its last part. For the player to recognise.
  device text not null default '' check (length(device) <= 60),
  address text not null default '' check (length(address) <= 60)
);
create index sessions_by_wallet on sessions (wallet, created_at desc);
create index sessions_ended on sessions (ended_at) where ended_at is not null;
create index sessions_by_age on sessions (created_at);
grant select, insert, update, delete on sessions to api;

-- The stored response of each request that carried an idempotency key.
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
grant select, insert, update, delete on idempotency_keys to api;

-- Ledger -------------------------------------------------------------------------------------------

create type credit_class as enum ('deposited', 'earned');
create type ledger_account as enum ('deposited', 'earned', 'emission', 'treasury', 'pool', 'burned', 'held');
create type move_kind as enum (
  'deposit', 'claim', 'hire', 'parcel', 'resale', 'withdrawal', 'settlement', 'refund', 'funding', 'adjustment', 'cancellation'
);

create table accounts (
  wallet text not null,
  class credit_class not null,
  balance bigint not null default 0 check (balance >= 0),
  version bigint not null default 0 check (version >= 0),
  -- Follows `frozen_wallets`. It is here because whoever locks an account reads its newest row anyway.
  frozen boolean not null default false,
  primary key (wallet, class)
) with (fillfactor = 80);
grant select, insert (wallet, class), update (balance, version) on accounts to api, watcher, signer;
grant select on accounts to readonly;

-- Locks the accounts of these wallets in order and creates missing ones. Statements that are sent behind this one
-- without waiting for its result run under these locks, for new wallets too.
create function lock_accounts(wallets text[]) returns setof accounts language plpgsql as $$
begin
  if exists (
    select from unnest(wallets) as asked (wallet)
    where not exists (select from accounts a where a.wallet = asked.wallet)
  ) then
    insert into accounts (wallet, class)
    select asked.wallet, class from unnest(wallets) as asked (wallet), unnest(enum_range(null::credit_class)) as class
    order by asked.wallet, class
    on conflict do nothing;
  end if;
  return query
    select a.* from accounts a where a.wallet = any(wallets) order by a.wallet, a.class for update;
end $$;

create table journals (
  id uuid primary key,
  wallet text not null,
  kind move_kind not null,
  at timestamptz not null,
  detail jsonb not null
);
-- One kind of a player's history, and its sums of a month. Ids ascend with time.
create index journals_by_wallet on journals (wallet, kind, id);
-- The few journals that no table of a feature counts.
create index journals_of_operators on journals (kind, at) where kind in ('funding', 'adjustment');
grant select, insert on journals to api, watcher, signer;
grant select on journals to readonly;

-- An entry on a player's account carries the balance after it and the next version of the account. Entries on the
-- game's own accounts carry neither.
create table entries (
  wallet text not null,
  journal_id uuid not null,
  line smallint not null,
  account ledger_account not null,
  amount bigint not null check (amount <> 0),
  balance_after bigint check (balance_after >= 0),
  version bigint check (version > 0),
  -- A page of a player's history is read from the index alone: its rows lie as far apart in the table as the journals
  -- lie in time.
  primary key (wallet, journal_id, line) include (amount, version),
  check ((account in ('deposited', 'earned')) = (version is not null)),
  check ((version is null) = (balance_after is null))
  -- Index-only reads need vacuumed pages, and players read the newest entries. A vacuum of an append-only table reads
  -- new pages only, so it may run often.
) with (autovacuum_vacuum_insert_scale_factor = 0.02);
create unique index entries_by_version on entries (wallet, account, version) where version is not null;
create index entries_of_reserves on entries (account) include (amount) where account in ('treasury', 'pool', 'held');
grant select, insert on entries to api, watcher, signer;
grant select on entries to readonly;

-- Tokens (treasury, deposited, pool, held) and played credit (emission, earned, burned) never mix: in every journal each
-- side sums to zero. A login that serves players cannot take from what is held or burned, cannot turn the pool into
-- a deposit, and takes from the treasury only for a player's deposit; the watcher posts deposits and nothing else.
--
-- The entries of a journal come in one statement. The first query checks all rows of the statement at once; only if one
-- of them can break a rule, each rule is checked by itself.
create function entries_must_balance() returns trigger language plpgsql as $$
begin
  if not exists (
    select from added group by journal_id, account in ('emission', 'earned', 'burned')
    having sum(amount) <> 0 or bool_or(
      current_user in ('api', 'watcher') and (
        amount < 0 and account in ('held', 'burned', 'pool') or account = 'treasury'
        or current_user = 'watcher' and account <> 'deposited'
      )
    )
  ) then
    return null;
  end if;
  if exists (select from added group by journal_id having sum(amount) <> 0) then
    raise exception 'the entries of a journal do not sum to zero';
  end if;
  if exists (
    select from added group by journal_id
    having sum(amount) filter (where account in ('emission', 'earned', 'burned')) <> 0
  ) then
    raise exception 'a journal turns played credit into tokens';
  end if;
  if current_user in ('api', 'watcher') and exists (
    select from added group by journal_id
    having bool_or(account in ('held', 'burned') and amount < 0 or account = 'treasury' and amount > 0)
      or bool_or(account = 'pool' and amount < 0) and bool_or(account = 'deposited' and amount > 0)
      or (current_user = 'watcher' or bool_or(account = 'treasury')) and bool_or(account not in ('treasury', 'deposited'))
  ) then
    raise exception 'this login may not make such a move';
  end if;
  return null;
end $$;
create trigger entries_balance after insert on entries
  referencing new table as added for each statement execute function entries_must_balance();

-- For the owner of the tables, too.
create function history_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function history_is_append_only();
create trigger journals_append_only before update or delete or truncate on journals
  for each statement execute function history_is_append_only();

-- Workers ------------------------------------------------------------------------------------------

-- The start of the program adds a row for each type of the game.
create table worker_types (
  worker_type text primary key,
  max_supply integer not null check (max_supply >= 0),
  sold integer not null default 0 check (sold >= 0 and sold <= max_supply)
) with (fillfactor = 50);
grant select, update (sold) on worker_types to api;
grant select on worker_types to readonly;

create table workers (
  wallet text not null,
  worker_id text not null,
  worker_type text not null,
  -- What it has generated is base + rate × time since; claimed only grows.
  base bigint not null default 0 check (base >= 0),
  rate_per_hour integer not null check (rate_per_hour > 0),
  since timestamptz not null,
  claimed bigint not null default 0 check (claimed >= 0),
  purchased_at timestamptz not null,
  primary key (wallet, worker_id)
) with (fillfactor = 80);
create index workers_by_age on workers (wallet, purchased_at, worker_id);
grant select, insert, update (base, since, claimed) on workers to api;
grant select on workers to watcher, readonly;

-- Land ---------------------------------------------------------------------------------------------
-- The parcels themselves are defined in game/. These tables hold only what play changes.

-- Each sale raises the price of its continent, so a sale locks this row first.
create table continents (
  code text primary key,
  -- The price of its first parcel. It cannot change once something is sold.
  start_price bigint not null default 100000000000 check (start_price > 0),
  price bigint not null default 100000000000 check (price > 0),
  owned integer not null default 0 check (owned >= 0),
  -- Parcels that the operator does not sell.
  excluded text[] not null default '{}',
  -- Grows with every change of the continent or its parcels. Readers find what they missed by it.
  version bigint not null default 0 check (version >= 0)
) with (fillfactor = 50);
insert into continents (code) values ('NA'), ('SA'), ('EU'), ('AS'), ('AF'), ('OC'), ('AN');
grant select, update (price, owned, version) on continents to api;
grant select on continents to readonly;

-- A parcel has a row once it is owned.
create table land (
  parcel_id text primary key,
  region text not null,
  wallet text not null,
  -- Price and journal of the sale by the game. A resale changes neither.
  price_paid bigint not null check (price_paid > 0),
  journal_id uuid not null unique,
  bought_at timestamptz not null
);
create index land_by_region on land (region);
grant select, insert, update (wallet) on land to api;
grant select on land to readonly;

-- Market -------------------------------------------------------------------------------------------

create table listings (
  id uuid primary key,
  parcel_id text not null references land (parcel_id),
  seller text not null,
  -- Whole $COTTON.
  price bigint not null check (price > 0 and price % 1000000 = 0),
  state text not null default 'active' check (state in ('active', 'sold', 'cancelled')),
  listed_at timestamptz not null,
  buyer text,
  journal_id uuid unique,
  closed_at timestamptz,
  check ((state = 'sold') = (buyer is not null)),
  check ((state = 'sold') = (journal_id is not null)),
  check ((state = 'active') = (closed_at is null)),
  check (buyer <> seller)
);
-- A parcel is listed once at a time.
create unique index listings_active on listings (parcel_id) where state = 'active';
-- Cancelled listings are in no index of a list: a seller may cancel any number of them.
create index listings_sold_of_seller on listings (seller, listed_at desc, id desc) where state = 'sold';
create index listings_by_buyer on listings (buyer, closed_at desc) where state = 'sold';
create index listings_sold_by_journal on listings (seller, journal_id) where state = 'sold';
create index listings_sold on listings (parcel_id, closed_at desc, id desc) where state = 'sold';
grant select, insert, update (state, buyer, journal_id, closed_at) on listings to api;
grant select on listings to readonly;

-- Milestones ---------------------------------------------------------------------------------------

-- What players have reached, once for each wallet. The codes are defined in game/. A grant stays when land is sold.
create table milestones (
  wallet text not null,
  code text not null,
  granted_at timestamptz not null,
  primary key (wallet, code)
);
create trigger milestones_append_only before update or delete or truncate on milestones
  for each statement execute function history_is_append_only();
grant select, insert on milestones to api;
grant select on milestones to readonly;

-- Deposits -----------------------------------------------------------------------------------------

-- The signer creates addresses in advance; a player gets the lowest free one.
create table deposit_addresses (
  index integer primary key check (index > 0),
  owner text not null unique,
  token_account text not null unique,
  wallet text unique,
  assigned_at timestamptz,
  -- The newest transaction that was read completely. Token account and owner each have a history and a cursor.
  cursor_signature text,
  cursor_slot bigint not null default 0,
  owner_cursor_signature text,
  owner_cursor_slot bigint not null default 0,
  -- A retired address is never assigned. A restored database may have forgotten to whom it was assigned.
  retired_at timestamptz,
  -- The chain's slot at the assignment; null if it was unknown. What arrived earlier does not belong to the player.
  assigned_slot bigint,
  -- When something last arrived or the player last asked for a check.
  lively_at timestamptz,
  check ((wallet is null) = (assigned_at is null)),
  check (wallet is null or retired_at is null)
);
create index deposit_addresses_free on deposit_addresses (index) where wallet is null and retired_at is null;
create index deposit_addresses_of_nobody on deposit_addresses (index) where wallet is null;
create index deposit_addresses_lively on deposit_addresses (lively_at) where lively_at is not null;
grant select, update (wallet, assigned_at, assigned_slot, retired_at, lively_at) on deposit_addresses to api;
grant select, update (retired_at, lively_at) on deposit_addresses to watcher;
grant update (cursor_signature, cursor_slot, owner_cursor_signature, owner_cursor_slot) on deposit_addresses to api, watcher;
grant select, insert, update (retired_at) on deposit_addresses to signer;
grant select on deposit_addresses to readonly;

-- Everything that arrived, credited or not.
create table receipts (
  signature text not null,
  token_account text not null,
  -- Null if the address was not assigned.
  wallet text,
  asset text not null check (asset in ('cotton', 'sol', 'other_token')),
  mint text,
  -- Amounts of other tokens can exceed a bigint. Postgres sorts NaN above every number.
  amount numeric(30, 0) not null check (amount > 0),
  slot bigint not null,
  state text not null check (state in ('pending', 'credited', 'unclaimed', 'dropped')),
  seen_at timestamptz not null,
  credited_at timestamptz,
  journal_id uuid,
  -- When check-deposit reported it to the player.
  told_at timestamptz,
  -- What a pending receipt waits for, or why an unclaimed one is not credited.
  why text check (why in ('second_node', 'nodes_disagree', 'sol', 'other_token', 'before_yours', 'of_nobody', 'too_large')),
  primary key (signature, token_account, asset),
  check ((state = 'credited') = (journal_id is not null)),
  check ((state = 'unclaimed') <= (why is not null)),
  check (wallet is not null or state = 'unclaimed'),
  check (amount < 'NaN')
);
create index receipts_by_wallet on receipts (wallet, seen_at desc);
create index receipts_untold on receipts (wallet) where state = 'credited' and told_at is null;
create index receipts_newest on receipts (credited_at desc) where asset = 'cotton' and state = 'credited';
create index receipts_unclaimed on receipts (seen_at desc) where state = 'unclaimed';
create index receipts_credited on receipts (token_account) include (amount, slot)
  where state = 'credited' and asset = 'cotton';
create index receipts_by_slot on receipts (slot) where asset = 'cotton' and state = 'credited';
-- Every scan of an address reads what is pending there; few receipts are pending at any time.
create index receipts_pending on receipts (wallet) where state = 'pending';
-- Known accounts of other tokens are scanned in the order of their addresses, a thousand at a time.
create index receipts_foreign on receipts (token_account, wallet) include (amount)
  where asset = 'other_token' and state = 'unclaimed' and wallet is not null;
-- A page of the list of uncredited deposits is one range of this index.
create index receipts_uncredited on receipts (wallet, seen_at desc, signature desc, token_account desc, asset desc)
  where state in ('pending', 'unclaimed');
grant select, insert, update on receipts to api, watcher;
grant select on receipts to signer, readonly;

-- Transfers prepared for a session. Only these are forwarded to the chain.
create table prepared_deposits (
  message_hash bytea primary key,
  wallet text not null,
  amount bigint not null check (amount > 0),
  at timestamptz not null
);
create index prepared_deposits_by_age on prepared_deposits (at);
grant select, insert, update, delete on prepared_deposits to api;

-- Transfers from deposit accounts to the treasury. The ledger does not change: it counts both as one.
create table sweeps (
  id uuid primary key,
  token_account text not null,
  amount bigint not null check (amount > 0),
  signature text not null,
  wire bytea not null,
  -- After this block height the transaction can no longer land.
  last_valid_height bigint not null,
  state text not null check (state in ('signed', 'finalized', 'failed')),
  at timestamptz not null
);
create unique index sweeps_open on sweeps (token_account) where state = 'signed';
create index sweeps_by_account on sweeps (token_account);
create unique index sweeps_by_signature on sweeps (signature);
create index sweeps_landed on sweeps (at) where state = 'finalized';
grant select, insert, update on sweeps to signer;
grant select (token_account, amount, signature, state, at) on sweeps to watcher;
-- Signed bytes are readable by the signer only.
grant select (id, token_account, amount, signature, last_valid_height, state, at) on sweeps to readonly;

-- Withdrawals --------------------------------------------------------------------------------------

create table withdrawal_challenges (
  nonce text primary key,
  wallet text not null,
  amount bigint not null check (amount > 0),
  expires_at timestamptz not null
);
create index withdrawal_challenges_by_expiry on withdrawal_challenges (expires_at);
grant select, insert, update, delete on withdrawal_challenges to api;

create table withdrawals (
  id uuid primary key,
  wallet text not null,
  deposited bigint not null check (deposited >= 0),
  earned bigint not null check (earned >= 0),
  -- The journal that holds its tokens; a journal backs one withdrawal.
  hold_id uuid not null unique,
  state text not null default 'requested' check (state in ('requested', 'review', 'approved', 'signed', 'sent', 'finalized', 'refunded')),
  reason text,
  day date not null,
  requested_at timestamptz not null,
  settled_at timestamptz,
  -- Why it waits, as codes; `reason` is the message of the first.
  reasons text[] not null default '{}',
  -- When the signer first read it, by the signer's clock. Limits use this and not what the request says.
  judged_at timestamptz,
  -- Of all transactions that were signed for it, the one that landed.
  paid_by text,
  -- The signer verifies the wallet's signature by itself, so a row alone pays nobody.
  nonce text not null check (nonce ~ '^[0-9a-f]{32}$'),
  wallet_signature bytea not null check (octet_length(wallet_signature) = 64),
  -- The form in which the wallet signed. The signer builds the signed bytes again in this form.
  signed_form text not null default 'raw' check (signed_form in (
    'raw', 'offchain_v0_line', 'offchain_v0_line_no_domain', 'offchain_v0', 'offchain_v0_no_domain', 'offchain_v1',
    'sign_in', 'sign_in_offchain_v1', 'memo_transaction'
  )),
  -- When the signer next tries a withdrawal that it could not pay, and how often it has failed in a row.
  retry_at timestamptz,
  tries integer not null default 0,
  -- When the player cancelled it. What is cancelled is never signed, whatever a program does.
  cancelled_at timestamptz,
  -- The span of the request (W3C Trace Context), if the api traces.
  traceparent text check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'),
  -- The seal of the signer, which no other program can compute: its policy has approved exactly this amount.
  verdict_mac bytea check (octet_length(verdict_mac) = 32),
  check (cancelled_at is null or state not in ('signed', 'sent')),
  check (deposited + earned > 0)
);
create index withdrawals_by_wallet on withdrawals (wallet, requested_at desc, id desc);
-- One signature, one withdrawal.
create unique index withdrawals_by_nonce on withdrawals (wallet, nonce);
create index withdrawals_by_day on withdrawals (day);
create index withdrawals_judged on withdrawals (judged_at);
create index withdrawals_settled on withdrawals (settled_at) where state = 'finalized';
-- By state and next try, so that waiting withdrawals are not read to find those that can be reviewed or paid.
create index withdrawals_open on withdrawals (state, cancelled_at, retry_at, requested_at, id)
  where state not in ('finalized', 'refunded');
-- Cancelled and not refunded yet. The signer refunds them in its next round.
create index withdrawals_cancelled on withdrawals (cancelled_at)
  where cancelled_at is not null and state in ('requested', 'review', 'approved');
-- Those that wait because their wallet is or was frozen. The signer compares them with the freezes in every round.
create index withdrawals_frozen on withdrawals (wallet) where state = 'review' and 'frozen' = any (reasons);
-- Each request counts the open withdrawals of its wallet.
create index withdrawals_open_of_wallet on withdrawals (wallet) where state not in ('finalized', 'refunded');
grant select, insert (id, wallet, deposited, earned, hold_id, day, requested_at, nonce, wallet_signature, signed_form, traceparent) on withdrawals to api;
-- A cancellation moves no money by itself.
grant update (cancelled_at) on withdrawals to api;
-- Only the signer decides on a request.
grant select, update (state, reason, settled_at, reasons, judged_at, paid_by, retry_at, tries, verdict_mac) on withdrawals to signer;
grant select (id, deposited, earned, state, requested_at, judged_at, settled_at, paid_by, traceparent) on withdrawals to watcher;
grant select on withdrawals to readonly;

-- A player's own lock. While it holds, no withdrawal can be requested. It becomes weaker only after `hours`.
create table withdrawal_locks (
  wallet text primary key,
  hours integer not null check (hours between 0 and 720),
  -- What replaces it and when: 0 hours is no lock.
  next_hours integer check (next_hours >= 0 and next_hours < hours),
  next_at timestamptz,
  changed_at timestamptz not null,
  check ((next_hours is null) = (next_at is null)),
  check (next_at >= changed_at + hours * interval '1 hour')
);
-- A bug of the api makes no lock weaker before its time. Clocks may be set back a little.
create function lock_may_not_weaken() returns trigger language plpgsql as $$
begin
  if current_user = 'api' and (
    new.changed_at < old.changed_at - interval '5 minutes'
    or new.hours < case when old.next_at <= new.changed_at then old.next_hours else old.hours end
  ) then
    raise exception 'a lock may not become weaker before its time';
  end if;
  return new;
end $$;
create trigger withdrawal_locks_hold before update on withdrawal_locks
  for each row execute function lock_may_not_weaken();
grant select, insert, update on withdrawal_locks to api;
grant select on withdrawal_locks to readonly;

-- What was signed for a withdrawal, stored before it is sent. The same bytes are sent until the result is final. Of a
-- payout that was found on the chain after a restore only the signature is known.
create table payouts (
  withdrawal_id uuid primary key,
  lane integer,
  nonce text,
  signature text not null unique,
  wire bytea,
  signed_at timestamptz not null,
  -- Microlamports per compute unit.
  unit_price bigint not null default 0 check (unit_price >= 0),
  -- Whether it pays for the wallet's token account.
  opens_account boolean not null default false,
  unique (lane, nonce),
  check (num_nulls(lane, nonce, wire) in (0, 3))
);
grant select, insert on payouts to signer;
grant select (withdrawal_id, signature, signed_at) on payouts to api;
grant select (withdrawal_id, signature, signed_at) on payouts to watcher;
grant select (withdrawal_id, lane, nonce, signature, signed_at, unit_price, opens_account) on payouts to readonly;

-- The same payout with a higher fee on the same nonce: at most one of them can land.
create table payout_replacements (
  withdrawal_id uuid not null references payouts,
  attempt integer not null check (attempt > 1),
  signature text not null unique,
  wire bytea not null,
  unit_price bigint not null check (unit_price >= 0),
  signed_at timestamptz not null,
  primary key (withdrawal_id, attempt)
);
create trigger payout_replacements_append_only before update or delete or truncate on payout_replacements
  for each statement execute function history_is_append_only();
grant select, insert on payout_replacements to signer;
grant select (withdrawal_id, attempt, signature, signed_at) on payout_replacements to api;
grant select (withdrawal_id, signature) on payout_replacements to watcher;
grant select (withdrawal_id, attempt, signature, unit_price, signed_at) on payout_replacements to readonly;

-- A lane is one durable nonce account. It carries one payout at a time.
create table lanes (
  lane integer primary key,
  nonce_account text not null unique,
  withdrawal_id uuid unique
);
grant select, insert, update on lanes to signer;
grant select on lanes to readonly;

-- Which process does the work of a role of which only one may work. Every write of that role checks its term in the same
-- transaction, so a process that was paused while another took over can write nothing.
create table role_terms (
  role text primary key check (role in ('signer', 'watcher')),
  term bigint not null check (term > 0),
  holder text not null check (length(holder) <= 500),
  instance uuid not null,
  renewals bigint not null default 0,
  released boolean not null default false
);
grant select, insert, update on role_terms to signer, watcher;
grant select on role_terms to api, readonly;

create function protect_role_terms() returns trigger language plpgsql as $$
begin
  if current_user in ('signer', 'watcher') and new.role <> current_user then
    raise exception 'the login % may not take the term of the role %', current_user, new.role using errcode = '42501';
  end if;
  if tg_op = 'UPDATE' and new.term < old.term then
    raise exception 'a term never becomes lower' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger protect_role_terms before insert or update on role_terms
  for each row execute function protect_role_terms();

-- How much earned credit can be withdrawn on a UTC day, in total and by each wallet. A request locks the day's row.
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
grant select, insert, update (spent) on reward_days, reward_day_wallets to api;
grant select, insert, update on reward_days, reward_day_wallets to signer;
grant select on reward_days, reward_day_wallets to readonly;

-- The largest budget of a day by the signer's own calculation, from the entries of the pool.
create table reward_bounds (
  day date primary key,
  budget bigint not null check (budget >= 0)
);
grant select, insert on reward_bounds to signer;
grant select on reward_bounds to readonly;

-- Payouts on the chain that the ledger does not owe, once an operator has resolved them. The part taken from the
-- wallet's balance has a journal, and so has the part charged to the pool. The rest of the amount is a debt.
create table restored_payouts (
  signature text primary key,
  withdrawal_id uuid not null,
  wallet text,
  amount bigint not null check (amount > 0),
  deposited bigint not null default 0 check (deposited >= 0),
  earned bigint not null default 0 check (earned >= 0),
  borne bigint not null default 0 check (borne >= 0),
  journal_id uuid,
  borne_journal_id uuid,
  taken_at timestamptz,
  taken_by text,
  acknowledged_at timestamptz,
  acknowledged_by text,
  reason text,
  check (deposited + earned + borne <= amount),
  check ((deposited + earned > 0) = (journal_id is not null)),
  check ((borne > 0) = (borne_journal_id is not null))
);
grant select on restored_payouts to readonly;

-- Frozen wallets -----------------------------------------------------------------------------------

-- Wallets that may not move value. Their players read the reason; the operator log has the history.
create table frozen_wallets (
  wallet text primary key,
  reason text not null check (length(reason) between 1 and 300),
  who text not null check (who <> ''),
  at timestamptz not null
);
grant select on frozen_wallets to api, watcher, signer, readonly;

-- Waits for the wallet's actions in flight, which hold these locks until they commit. Later actions read the flag with
-- their own lock.
create function mark_frozen_accounts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    perform lock_accounts(array[old.wallet]);
    update accounts set frozen = false where wallet = old.wallet;
  end if;
  if tg_op <> 'DELETE' then
    perform lock_accounts(array[new.wallet]);
    update accounts set frozen = true where wallet = new.wallet;
  end if;
  return null;
end $$;
revoke execute on function mark_frozen_accounts() from public;
create trigger frozen_wallets_mark after insert or delete or update of wallet on frozen_wallets
  for each row execute function mark_frozen_accounts();

create function freeze_wallet(frozen text, why text, by_whom text, since timestamptz) returns boolean
  language sql security definer set search_path = public, pg_temp as $$
  with added as (
    insert into frozen_wallets (wallet, reason, who, at) values (frozen, why, by_whom, since)
    on conflict do nothing returning wallet
  )
  select exists (select from added)
$$;
revoke all on function freeze_wallet(text, text, text, timestamptz) from public;

create function unfreeze_wallet(frozen text) returns boolean
  language sql security definer set search_path = public, pg_temp as $$
  with removed as (delete from frozen_wallets where wallet = frozen returning wallet)
  select exists (select from removed)
$$;
revoke all on function unfreeze_wallet(text) from public;
grant execute on function unfreeze_wallet(text) to signer;

-- Whatever a program that serves players does, the balances of a frozen wallet change by deposits alone. The condition
-- of the trigger is checked without a call.
create function frozen_balance_moved() returns trigger language plpgsql as $$
begin
  if current_user in ('api', 'watcher') and not (new.class = 'deposited' and new.balance >= old.balance) then
    raise exception 'the wallet % is frozen', new.wallet;
  end if;
  return null;
end $$;
create trigger accounts_frozen after update on accounts
  for each row when (old.frozen) execute function frozen_balance_moved();

-- A sale pays deposited credit, like a deposit, so the land of a frozen wallet stays where it is. Nothing is listed, and
-- its lock stays. The argument names the column with the wallet.
create function frozen_wallet_acts() returns trigger language plpgsql as $$
declare
  acting text := to_jsonb(coalesce(old, new)) ->> tg_argv[0];
begin
  if current_user = 'api' and exists (select from accounts a where a.wallet = acting and a.frozen) then
    raise exception 'the wallet % is frozen', acting;
  end if;
  return new;
end $$;
create trigger land_of_frozen before update of wallet on land
  for each row execute function frozen_wallet_acts('wallet');
create trigger listings_of_frozen before insert on listings
  for each row execute function frozen_wallet_acts('seller');
create trigger withdrawal_locks_of_frozen before insert or update on withdrawal_locks
  for each row execute function frozen_wallet_acts('wallet');

-- Announcements ------------------------------------------------------------------------------------

-- What everybody reads in the game while it lasts.
create table announcements (
  id uuid primary key default gen_random_uuid(),
  text text not null check (length(text) between 1 and 300),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  created_at timestamptz not null,
  created_by text not null check (created_by <> ''),
  withdrawn_at timestamptz,
  withdrawn_by text,
  check ((withdrawn_at is null) = (withdrawn_by is null))
);
-- Every api reads what has not ended, every 1.5 s.
create index announcements_by_end on announcements (ends_at) where withdrawn_at is null;
create index announcements_newest on announcements (created_at desc, id desc);
grant select on announcements to api, readonly;

-- Settings and operators ---------------------------------------------------------------------------

-- Facts of this instance: the genesis hash and mint that its ledger is bound to, and the operator's switches.
create table settings (
  name text primary key,
  value jsonb not null,
  at timestamptz not null default now()
);
grant select on settings to api, watcher, readonly;
grant select, insert, update on settings to signer;

-- Watcher and signer may stop withdrawals and change no other setting. Players read the reason, so its length is bounded.
create function pause_withdrawals(why text, since timestamptz) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into settings (name, value, at)
  values ('withdrawals_paused', jsonb_build_object('why', left(why, 300)), since)
  on conflict (name) do update
    set value = jsonb_build_object('why', left((settings.value ->> 'why') || ' And: ' || left(pause_withdrawals.why, 300), 700))
    where strpos(settings.value ->> 'why', left(pause_withdrawals.why, 300)) = 0
$$;
revoke all on function pause_withdrawals(text, timestamptz) from public;
grant execute on function pause_withdrawals(text, timestamptz) to watcher, signer;

-- What operators did and what was refused to them. Append-only.
create table operator_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  who text not null check (who <> ''),
  command text not null,
  arguments jsonb not null,
  reason text,
  outcome text not null
);
create trigger operator_log_append_only before update or delete or truncate on operator_log
  for each statement execute function history_is_append_only();
grant select on operator_log to readonly;

-- What operators do by signing it. `ops` and console insert acts; the signer verifies each signature and executes each
-- act once. An approval stays here: the signer verifies it again before it pays. A decided act never changes.
create table operator_acts (
  nonce text primary key check (nonce ~ '^[0-9a-f]{32}$'),
  kind text not null,
  -- The withdrawal that it is about.
  withdrawal_id uuid,
  -- The act in full, as `contract/console/acts.ts` declares it.
  details jsonb not null,
  -- The wallet that signed it, and the form in which it signed.
  operator text not null check (operator <> ''),
  signature bytea not null check (octet_length(signature) = 64),
  signed_form text not null,
  at timestamptz not null,
  expires_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused')),
  outcome text,
  done_at timestamptz,
  check ((state = 'waiting') = (done_at is null))
);
create index operator_acts_of_withdrawal on operator_acts (withdrawal_id) where withdrawal_id is not null;
create index operator_acts_waiting on operator_acts (at, nonce) where state = 'waiting';
create function decided_acts_are_final() returns trigger language plpgsql as $$
begin
  if old.state <> 'waiting' or (new.nonce, new.kind, new.withdrawal_id, new.details, new.operator, new.signature,
      new.signed_form, new.at, new.expires_at) is distinct from (old.nonce, old.kind, old.withdrawal_id, old.details,
      old.operator, old.signature, old.signed_form, old.at, old.expires_at) then
    raise exception 'an act of an operator is decided once and never changes';
  end if;
  return new;
end
$$;
create trigger operator_acts_final before update on operator_acts
  for each row execute function decided_acts_are_final();
create trigger operator_acts_append_only before delete or truncate on operator_acts
  for each statement execute function history_is_append_only();
grant select, update (state, outcome, done_at) on operator_acts to signer;
grant select on operator_acts to readonly;
-- The signer executes signed acts: it resumes withdrawals, records what was taken back, and logs what it did.
grant delete on settings to signer;
grant insert on operator_log to signer;
grant select, insert, update on restored_payouts to signer;
grant select (wallet) on users to signer;

-- What the operator's webhook is told of. A row stays until the webhook was told that it is over.
create table alerts (
  name text primary key,
  since timestamptz not null,
  -- When the webhook last accepted it.
  sent_at timestamptz
);
grant select, insert, update (sent_at), delete on alerts to watcher;
grant select on alerts to readonly;

-- Solvency -----------------------------------------------------------------------------------------

-- The last snapshot of tokens and debts, at one slot.
create table solvency (
  one boolean primary key default true check (one),
  at timestamptz not null,
  slot bigint not null,
  took_ms integer not null check (took_ms >= 0),
  treasury bigint not null check (treasury >= 0),
  deposit_accounts bigint not null,
  -- Payouts that have landed and are not settled, less those settled after the slot.
  in_flight bigint not null,
  deposited bigint not null,
  pool bigint not null,
  held bigint not null,
  -- Credited or funded with tokens that arrived after the slot.
  credited_ahead bigint not null,
  surplus bigint not null,
  -- Since when tokens are missing. A shortage counts once a later snapshot has confirmed it.
  short_since timestamptz,
  confirmed boolean not null default false,
  -- Tokens in wallets whose keys are on no machine of the game, and these wallets.
  cold bigint not null default 0 check (cold >= 0),
  cold_wallets text[] not null default '{}',
  check (surplus = treasury + cold + deposit_accounts + in_flight - (deposited + pool + held - credited_ahead)),
  check (not confirmed or short_since is not null)
);
grant select, insert, update on solvency to watcher;
grant select on solvency to api, signer, readonly;

-- Totals of each kind of credit, recorded from time to time.
create table supply_history (
  at timestamptz primary key,
  emitted bigint not null,
  burned bigint not null,
  spent bigint not null
);
grant select, insert on supply_history to watcher;
grant select on supply_history to api, signer, readonly;

-- Running totals -----------------------------------------------------------------------------------
-- A reserve snapshot and the transparency page read no history. Triggers maintain the totals in the transaction that
-- writes the rows, also for logins that may not write here.

-- What arrived at each token account and was swept from it.
create table token_account_totals (
  token_account text primary key,
  credited numeric not null default 0,
  unclaimed numeric not null default 0,
  swept numeric not null default 0,
  -- Whether it holds tokens by the ledger. A column, so that Postgres knows how few such accounts there are.
  is_open boolean not null default false
) with (fillfactor = 80);
create index token_account_totals_open on token_account_totals (token_account) where is_open;

create function mark_open_account() returns trigger language plpgsql as $$
begin
  new.is_open := new.credited > 0 and new.credited <> new.swept;
  return new;
end $$;
create trigger token_account_totals_open before insert or update on token_account_totals
  for each row execute function mark_open_account();
-- Also while a restore has disabled the other triggers.
alter table token_account_totals enable always trigger token_account_totals_open;

-- One row per group of connections, so that concurrent journals do not wait for each other. Only the sum over all rows
-- has a meaning. Earned credit has no column: in every journal emission, earned and burned sum to zero.
create table credit_totals (
  shard integer primary key,
  deposited numeric not null default 0,
  pool numeric not null default 0,
  held numeric not null default 0,
  emission numeric not null default 0,
  burned numeric not null default 0,
  -- Deposited credit that players paid into the pool.
  spent numeric not null default 0
) with (fillfactor = 50);

create function total_receipts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' and old.asset = 'cotton' and old.state in ('credited', 'unclaimed') then
    update token_account_totals t
    set credited = t.credited - case old.state when 'credited' then old.amount else 0 end,
      unclaimed = t.unclaimed - case old.state when 'unclaimed' then old.amount else 0 end
    where t.token_account = old.token_account;
  end if;
  if tg_op <> 'DELETE' and new.asset = 'cotton' and new.state in ('credited', 'unclaimed') then
    insert into token_account_totals as t (token_account, credited, unclaimed)
    values (
      new.token_account,
      case new.state when 'credited' then new.amount else 0 end,
      case new.state when 'unclaimed' then new.amount else 0 end
    )
    on conflict (token_account) do update
      set credited = t.credited + excluded.credited, unclaimed = t.unclaimed + excluded.unclaimed;
  end if;
  return null;
end $$;

create function total_sweeps() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' and old.state = 'finalized' then
    update token_account_totals t set swept = t.swept - old.amount where t.token_account = old.token_account;
  end if;
  if tg_op <> 'DELETE' and new.state = 'finalized' then
    insert into token_account_totals as t (token_account, swept) values (new.token_account, new.amount)
    on conflict (token_account) do update set swept = t.swept + excluded.swept;
  end if;
  return null;
end $$;

create function total_balances() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  change numeric;
begin
  if tg_op = 'INSERT' then
    select sum(balance) into change from added where class = 'deposited';
  elsif tg_op = 'DELETE' then
    select -sum(balance) into change from removed where class = 'deposited';
  else
    select sum(amount) into change from (
      select balance as amount from added where class = 'deposited'
      union all
      select -balance from removed where class = 'deposited'
    ) each;
  end if;
  if change <> 0 then
    insert into credit_totals as t (shard, deposited) values (pg_backend_pid() % 1024, change)
    on conflict (shard) do update set deposited = t.deposited + excluded.deposited;
  end if;
  return null;
end $$;

create function total_reserves() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  change record;
begin
  -- The subquery finds a journal by its key, and only for entries of the pool.
  select coalesce(sum(amount) filter (where account = 'pool'), 0) as pool,
    coalesce(sum(amount) filter (where account = 'held'), 0) as held,
    coalesce(sum(amount) filter (where account = 'emission'), 0) as emission,
    coalesce(sum(amount) filter (where account = 'burned'), 0) as burned,
    coalesce(sum(amount) filter (
      where account = 'pool'
        and (select kind from journals j where j.id = added.journal_id) in ('hire', 'parcel', 'resale')
    ), 0) as spent
  into change from added where account in ('pool', 'held', 'emission', 'burned');
  if (change.pool, change.held, change.emission, change.burned, change.spent) <> (0, 0, 0, 0, 0) then
    insert into credit_totals as t (shard, pool, held, emission, burned, spent)
    values (pg_backend_pid() % 1024, change.pool, change.held, change.emission, change.burned, change.spent)
    on conflict (shard) do update set pool = t.pool + excluded.pool, held = t.held + excluded.held,
      emission = t.emission + excluded.emission, burned = t.burned + excluded.burned, spent = t.spent + excluded.spent;
  end if;
  return null;
end $$;

-- A login that could call these from a table of its own could forge totals.
revoke execute on function total_receipts(), total_sweeps(), total_balances(), total_reserves() from public;

create trigger receipts_totals after insert or delete or update of token_account, asset, amount, state on receipts
  for each row execute function total_receipts();
create trigger sweeps_totals after insert or delete or update of token_account, amount, state on sweeps
  for each row execute function total_sweeps();
create trigger accounts_added_totals after insert on accounts
  referencing new table as added for each statement execute function total_balances();
create trigger accounts_changed_totals after update on accounts
  referencing old table as removed new table as added for each statement execute function total_balances();
create trigger accounts_removed_totals after delete on accounts
  referencing old table as removed for each statement execute function total_balances();
create trigger entries_totals after insert on entries
  referencing new table as added for each statement execute function total_reserves();

-- Computes all totals again, for an owner who has changed rows with the triggers disabled.
create function fill_totals() returns void language plpgsql set search_path = public, pg_temp as $$
begin
  lock table receipts, sweeps, accounts, journals, entries in share row exclusive mode;
  delete from token_account_totals;
  delete from credit_totals;
  insert into token_account_totals (token_account, credited, unclaimed, swept)
  select token_account, sum(credited), sum(unclaimed), sum(swept) from (
    select token_account, case state when 'credited' then amount else 0 end as credited,
      case state when 'unclaimed' then amount else 0 end as unclaimed, 0 as swept
    from receipts where asset = 'cotton' and state in ('credited', 'unclaimed')
    union all
    select token_account, 0, 0, amount from sweeps where state = 'finalized'
  ) each group by token_account;
  insert into credit_totals (shard, deposited, pool, held, emission, burned, spent)
  select 0,
    (select coalesce(sum(balance), 0) from accounts where class = 'deposited'),
    coalesce(sum(e.amount) filter (where e.account = 'pool'), 0),
    coalesce(sum(e.amount) filter (where e.account = 'held'), 0),
    coalesce(sum(e.amount) filter (where e.account = 'emission'), 0),
    coalesce(sum(e.amount) filter (where e.account = 'burned'), 0),
    coalesce(sum(e.amount) filter (where e.account = 'pool' and j.kind in ('hire', 'parcel', 'resale')), 0)
  from entries e left join journals j on j.id = e.journal_id
  where e.account in ('pool', 'held', 'emission', 'burned');
end $$;
revoke execute on function fill_totals() from public;

grant select on token_account_totals to watcher, signer, readonly;
grant select on credit_totals to api, watcher, signer, readonly;

-- Operators' console -------------------------------------------------------------------------------

-- Sessions of operators. Who may log in stands in the operators' file, so ending a session here is not what takes a right away.
create table console_sessions (
  -- SHA-256 of the token. The token itself is not stored.
  token_hash bytea primary key,
  wallet text not null,
  created_at timestamptz not null check (created_at between to_timestamp(0) and to_timestamp(253402300799)),
  seen_at timestamptz not null check (seen_at between to_timestamp(0) and to_timestamp(253402300799)),
  ended_at timestamptz check (ended_at between to_timestamp(0) and to_timestamp(253402300799))
);
create index console_sessions_by_age on console_sessions (created_at);

-- What happened in each hour, for the charts of the console. The watcher writes it once the hour is over.
create table hourly_totals (
  hour timestamptz primary key check (hour between to_timestamp(0) and to_timestamp(253402300799)),
  -- Wallets that moved credit.
  players integer not null check (players >= 0),
  new_players integer not null check (new_players >= 0),
  claims integer not null check (claims >= 0),
  hires integer not null check (hires >= 0),
  parcels integer not null check (parcels >= 0),
  resales integer not null check (resales >= 0),
  -- The prices of the resales.
  volume bigint not null check (volume >= 0),
  deposited bigint not null check (deposited >= 0),
  withdrawn bigint not null check (withdrawn >= 0),
  -- At the end of the hour. Null if the watcher was not running then.
  pool bigint,
  tokens bigint,
  owed bigint,
  database_bytes bigint
);
grant select, insert on hourly_totals to watcher;
grant select on hourly_totals to readonly;
grant select (created_at) on users to watcher;
grant select (journal_id, price) on listings to watcher;

-- A page of each list of the console is one range of an index.
create index users_by_prefix on users (wallet collate "C");
create index users_by_age on users (created_at);
create index withdrawals_by_state on withdrawals (state, requested_at, id);
create index receipts_of_nobody on receipts (seen_at desc) where state = 'unclaimed' and wallet is null;
-- Claims are most of the journals, and are found by their ids alone. No claim writes to this index.
create index journals_by_kind on journals (kind, id) where kind <> 'claim';
create index operator_acts_newest on operator_acts (at desc, nonce desc);
create index operator_acts_by_state on operator_acts (state, at desc, nonce desc);
create index operator_log_by_who on operator_log (lower(who), id desc);

-- Logs a player out everywhere. The console cannot change sessions in any other way, and sees no token.
create function end_player_sessions(of_wallet text, at_time timestamptz) returns integer
  language sql security definer set search_path = public, pg_temp as $$
  with ended as (
    update sessions set ended_at = at_time where wallet = of_wallet and ended_at is null returning token_hash
  )
  select count(*)::integer from ended
$$;
revoke all on function end_player_sessions(text, timestamptz) from public;

grant usage on schema public to console;
grant select on schema_migrations, users, accounts, journals, entries, worker_types, workers, continents, land, listings,
  deposit_addresses, receipts, withdrawal_locks, reward_days, role_terms, restored_payouts, settings, operator_log,
  operator_acts, frozen_wallets, announcements, solvency, supply_history, credit_totals, hourly_totals to console;
grant select (id, wallet, deposited, earned, state, reason, reasons, requested_at, judged_at, settled_at, cancelled_at, retry_at, paid_by)
  on withdrawals to console;
grant select (withdrawal_id, signature, signed_at) on payouts to console;
grant select (withdrawal_id, attempt, signature, signed_at) on payout_replacements to console;
grant select (token_account, amount, signature, state, at) on sweeps to console;
grant select (id, wallet, created_at, seen_at, ended_at, device, address) on sessions to console;
grant select, insert, update, delete on console_sessions to console;
grant select (nonce), insert on nonces to console;
-- Signed acts are executed by the signer. Without a signature the console can only stop things, and write announcements.
grant insert on operator_acts, operator_log, announcements to console;
grant update (ends_at, withdrawn_at, withdrawn_by) on announcements to console;
grant execute on function pause_withdrawals(text, timestamptz) to console;
grant execute on function freeze_wallet(text, text, text, timestamptz) to console;
grant execute on function end_player_sessions(text, timestamptz) to console;

-- Finite dates -------------------------------------------------------------------------------------

-- `infinity` is a date to Postgres and NaN to JavaScript, which finds it neither above nor below any limit. The same
-- holds for years that JavaScript cannot represent.
do $$
declare
  of record;
begin
  for of in
    select * from (values ('withdrawals', 'day'), ('reward_days', 'day'), ('reward_day_wallets', 'day')) as d (name, col)
  loop
    execute format('alter table %I add check (%I between date ''2020-01-01'' and date ''2199-12-31'')', of.name, of.col);
  end loop;
  for of in
    select * from (values
      ('operator_acts', 'at'), ('operator_acts', 'expires_at'), ('operator_acts', 'done_at'),
      ('withdrawals', 'requested_at'), ('withdrawals', 'judged_at'), ('withdrawals', 'settled_at'), ('withdrawals', 'cancelled_at'),
      ('withdrawal_locks', 'next_at'), ('withdrawal_locks', 'changed_at'),
      ('withdrawal_challenges', 'expires_at'), ('journals', 'at'), ('idempotency_keys', 'at'),
      ('nonces', 'expires_at'), ('login_failures', 'at'), ('sessions', 'created_at'), ('sessions', 'seen_at'), ('sessions', 'ended_at'),
      ('users', 'created_at'), ('users', 'seen_at'), ('workers', 'since'), ('workers', 'purchased_at'),
      ('land', 'bought_at'), ('listings', 'listed_at'), ('listings', 'closed_at'),
      ('deposit_addresses', 'assigned_at'), ('deposit_addresses', 'retired_at'), ('deposit_addresses', 'lively_at'),
      ('prepared_deposits', 'at'), ('receipts', 'seen_at'), ('receipts', 'credited_at'), ('receipts', 'told_at'),
      ('frozen_wallets', 'at'), ('announcements', 'starts_at'), ('announcements', 'ends_at'), ('announcements', 'created_at'), ('announcements', 'withdrawn_at'),
      ('alerts', 'since'), ('alerts', 'sent_at'), ('solvency', 'at'), ('solvency', 'short_since'), ('supply_history', 'at'), ('milestones', 'granted_at')
    ) as t (name, col)
  loop
    -- The last second of the year 9999.
    execute format('alter table %I add check (%I between to_timestamp(0) and to_timestamp(253402300799))', of.name, of.col);
  end loop;
end $$;
