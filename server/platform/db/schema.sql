-- Dumped from a migrated database by scripts/dump-schema.mjs; never edited.

create type credit_class as enum (
  'deposited',
  'earned'
);
create type ledger_account as enum (
  'deposited',
  'earned',
  'emission',
  'treasury',
  'pool',
  'burned',
  'held'
);
create type move_kind as enum (
  'deposit',
  'claim',
  'hire',
  'parcel',
  'resale',
  'withdrawal',
  'settlement',
  'refund',
  'funding',
  'adjustment',
  'cancellation'
);

create table accounts (
  wallet text not null,
  class credit_class not null,
  balance bigint not null default 0,
  version bigint not null default 0,
  frozen boolean not null default false
) with (fillfactor=80);

create table alerts (
  name text not null,
  since timestamp with time zone not null,
  sent_at timestamp with time zone
);

create table announcements (
  id uuid not null default gen_random_uuid(),
  text text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  withdrawn_at timestamp with time zone,
  withdrawn_by text
);

create table checked_balances (
  wallet text not null,
  class credit_class not null,
  version bigint not null,
  total bigint not null
);

create table console_sessions (
  token_hash bytea not null,
  wallet text not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  ended_at timestamp with time zone
);

create table continents (
  code text not null,
  start_price bigint not null default '100000000000'::bigint,
  price bigint not null default '100000000000'::bigint,
  owned integer not null default 0,
  excluded text[] not null default '{}'::text[],
  version bigint not null default 0
) with (fillfactor=50);

create table credit_totals (
  shard integer not null,
  deposited numeric not null default 0,
  pool numeric not null default 0,
  held numeric not null default 0,
  emission numeric not null default 0,
  burned numeric not null default 0,
  spent numeric not null default 0
) with (fillfactor=50);

create table deposit_addresses (
  index integer not null,
  owner text not null,
  token_account text not null,
  wallet text,
  assigned_at timestamp with time zone,
  cursor_signature text,
  cursor_slot bigint not null default 0,
  owner_cursor_signature text,
  owner_cursor_slot bigint not null default 0,
  retired_at timestamp with time zone,
  assigned_slot bigint,
  lively_at timestamp with time zone
);

create table entries (
  wallet text not null,
  journal_id uuid not null,
  line smallint not null,
  account ledger_account not null,
  amount bigint not null,
  balance_after bigint,
  version bigint
) with (autovacuum_vacuum_insert_scale_factor=0.02);

create table frozen_wallets (
  wallet text not null,
  reason text not null,
  who text not null,
  at timestamp with time zone not null,
  id uuid not null default gen_random_uuid()
);

create table hourly_totals (
  hour timestamp with time zone not null,
  players integer not null,
  new_players integer not null,
  claims integer not null,
  hires integer not null,
  parcels integer not null,
  resales integer not null,
  volume bigint not null,
  deposited bigint not null,
  withdrawn bigint not null,
  pool bigint,
  tokens bigint,
  owed bigint,
  database_bytes bigint
);

create table idempotency_keys (
  wallet text not null,
  route text not null,
  key text not null,
  body_hash bytea not null,
  answer jsonb not null,
  at timestamp with time zone not null
);

create table journals (
  id uuid not null,
  wallet text not null,
  kind move_kind not null,
  at timestamp with time zone not null,
  detail jsonb not null
);

create table land (
  parcel_id text not null,
  region text not null,
  wallet text not null,
  price_paid bigint not null,
  journal_id uuid not null,
  bought_at timestamp with time zone not null
);

create table lanes (
  lane integer not null,
  nonce_account text not null,
  withdrawal_id uuid
);

create table listings (
  id uuid not null,
  parcel_id text not null,
  seller text not null,
  price bigint not null,
  state text not null default 'active'::text,
  listed_at timestamp with time zone not null,
  buyer text,
  journal_id uuid,
  closed_at timestamp with time zone
);

create table login_failures (
  name bytea not null,
  count double precision not null,
  at timestamp with time zone not null
) with (fillfactor=50);

create table login_key (
  one boolean not null default true,
  key bytea not null
);

create table milestones (
  wallet text not null,
  code text not null,
  granted_at timestamp with time zone not null
);

create table nonces (
  wallet text not null,
  nonce text not null,
  expires_at timestamp with time zone not null
);

create table operator_acts (
  nonce text not null,
  kind text not null,
  withdrawal_id uuid,
  details jsonb not null,
  operator text not null,
  signature bytea not null,
  signed_form text not null,
  at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  state text not null default 'waiting'::text,
  outcome text,
  done_at timestamp with time zone,
  number integer
);

create table operator_log (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  who text not null,
  command text not null,
  arguments jsonb not null,
  reason text,
  outcome text not null,
  login text default CURRENT_USER
);

create table payout_replacements (
  withdrawal_id uuid not null,
  attempt integer not null,
  signature text not null,
  wire bytea not null,
  unit_price bigint not null,
  signed_at timestamp with time zone not null
);

create table payouts (
  withdrawal_id uuid not null,
  lane integer,
  nonce text,
  signature text not null,
  wire bytea,
  signed_at timestamp with time zone not null,
  unit_price bigint not null default 0,
  opens_account boolean not null default false
);

create table prepared_deposits (
  message_hash bytea not null,
  wallet text not null,
  amount bigint not null,
  at timestamp with time zone not null
);

create table receipts (
  signature text not null,
  token_account text not null,
  wallet text,
  asset text not null,
  mint text,
  amount numeric(30,0) not null,
  slot bigint not null,
  state text not null,
  seen_at timestamp with time zone not null,
  credited_at timestamp with time zone,
  journal_id uuid,
  told_at timestamp with time zone,
  why text
);

create table restored_payouts (
  signature text not null,
  withdrawal_id uuid not null,
  wallet text,
  amount bigint not null,
  deposited bigint not null default 0,
  earned bigint not null default 0,
  borne bigint not null default 0,
  journal_id uuid,
  borne_journal_id uuid,
  taken_at timestamp with time zone,
  taken_by text,
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  reason text
);

create table reward_bounds (
  day date not null,
  budget bigint not null
);

create table reward_day_wallets (
  day date not null,
  wallet text not null,
  spent bigint not null default 0
);

create table reward_days (
  day date not null,
  budget bigint not null,
  spent bigint not null default 0
);

create table role_terms (
  role text not null,
  term bigint not null,
  holder text not null,
  instance uuid not null,
  renewals bigint not null default 0,
  released boolean not null default false
);

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default clock_timestamp()
);

create table sessions (
  token_hash bytea not null,
  wallet text not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  id uuid not null default gen_random_uuid(),
  device text not null default ''::text,
  address text not null default ''::text
);

create table settings (
  name text not null,
  value jsonb not null,
  at timestamp with time zone not null default now()
);

create table solvency (
  one boolean not null default true,
  at timestamp with time zone not null,
  slot bigint not null,
  took_ms integer not null,
  treasury bigint not null,
  deposit_accounts bigint not null,
  in_flight bigint not null,
  deposited bigint not null,
  pool bigint not null,
  held bigint not null,
  credited_ahead bigint not null,
  surplus bigint not null,
  short_since timestamp with time zone,
  confirmed boolean not null default false,
  cold bigint not null default 0,
  cold_wallets text[] not null default '{}'::text[]
);

create table supply_history (
  at timestamp with time zone not null,
  emitted bigint not null,
  burned bigint not null,
  spent bigint not null
);

create table sweeps (
  id uuid not null,
  token_account text not null,
  amount bigint not null,
  signature text not null,
  wire bytea not null,
  last_valid_height bigint not null,
  state text not null,
  at timestamp with time zone not null
);

create table token_account_totals (
  token_account text not null,
  credited numeric not null default 0,
  unclaimed numeric not null default 0,
  swept numeric not null default 0,
  is_open boolean not null default false
) with (fillfactor=80);

create table users (
  wallet text not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone
);

create table withdrawal_challenges (
  nonce text not null,
  wallet text not null,
  amount bigint not null,
  expires_at timestamp with time zone not null
);

create table withdrawal_locks (
  wallet text not null,
  hours integer not null,
  next_hours integer,
  next_at timestamp with time zone,
  changed_at timestamp with time zone not null
);

create table withdrawals (
  id uuid not null,
  wallet text not null,
  deposited bigint not null,
  earned bigint not null,
  hold_id uuid not null,
  state text not null default 'requested'::text,
  reason text,
  day date not null,
  requested_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  reasons text[] not null default '{}'::text[],
  judged_at timestamp with time zone,
  paid_by text,
  nonce text not null,
  wallet_signature bytea not null,
  signed_form text not null default 'raw'::text,
  retry_at timestamp with time zone,
  tries integer not null default 0,
  cancelled_at timestamp with time zone,
  traceparent text,
  verdict_mac bytea
);

create table worker_types (
  worker_type text not null,
  max_supply integer not null,
  sold integer not null default 0
) with (fillfactor=50);

create table workers (
  wallet text not null,
  worker_id text not null,
  worker_type text not null,
  base bigint not null default 0,
  rate_per_hour integer not null,
  since timestamp with time zone not null,
  claimed bigint not null default 0,
  purchased_at timestamp with time zone not null
) with (fillfactor=80);

alter table accounts add constraint accounts_balance_check CHECK ((balance >= 0));
alter table accounts add constraint accounts_version_check CHECK ((version >= 0));
alter table accounts add constraint accounts_pkey PRIMARY KEY (wallet, class);
alter table alerts add constraint alerts_sent_at_check CHECK (((sent_at >= to_timestamp((0)::double precision)) AND (sent_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table alerts add constraint alerts_since_check CHECK (((since >= to_timestamp((0)::double precision)) AND (since <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table alerts add constraint alerts_pkey PRIMARY KEY (name);
alter table announcements add constraint announcements_check CHECK ((ends_at > starts_at));
alter table announcements add constraint announcements_check1 CHECK (((withdrawn_at IS NULL) = (withdrawn_by IS NULL)));
alter table announcements add constraint announcements_created_at_check CHECK (((created_at >= to_timestamp((0)::double precision)) AND (created_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table announcements add constraint announcements_created_by_check CHECK ((created_by <> ''::text));
alter table announcements add constraint announcements_ends_at_check CHECK (((ends_at >= to_timestamp((0)::double precision)) AND (ends_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table announcements add constraint announcements_starts_at_check CHECK (((starts_at >= to_timestamp((0)::double precision)) AND (starts_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table announcements add constraint announcements_text_check CHECK (((length(text) >= 1) AND (length(text) <= 300)));
alter table announcements add constraint announcements_withdrawn_at_check CHECK (((withdrawn_at >= to_timestamp((0)::double precision)) AND (withdrawn_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table announcements add constraint announcements_pkey PRIMARY KEY (id);
alter table checked_balances add constraint checked_balances_total_check CHECK ((total >= 0));
alter table checked_balances add constraint checked_balances_version_check CHECK ((version > 0));
alter table checked_balances add constraint checked_balances_pkey PRIMARY KEY (wallet, class);
alter table console_sessions add constraint console_sessions_created_at_check CHECK (((created_at >= to_timestamp((0)::double precision)) AND (created_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table console_sessions add constraint console_sessions_ended_at_check CHECK (((ended_at >= to_timestamp((0)::double precision)) AND (ended_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table console_sessions add constraint console_sessions_seen_at_check CHECK (((seen_at >= to_timestamp((0)::double precision)) AND (seen_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table console_sessions add constraint console_sessions_pkey PRIMARY KEY (token_hash);
alter table continents add constraint continents_owned_check CHECK ((owned >= 0));
alter table continents add constraint continents_price_check CHECK ((price > 0));
alter table continents add constraint continents_start_price_check CHECK ((start_price > 0));
alter table continents add constraint continents_version_check CHECK ((version >= 0));
alter table continents add constraint continents_pkey PRIMARY KEY (code);
alter table credit_totals add constraint credit_totals_pkey PRIMARY KEY (shard);
alter table deposit_addresses add constraint deposit_addresses_assigned_at_check CHECK (((assigned_at >= to_timestamp((0)::double precision)) AND (assigned_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table deposit_addresses add constraint deposit_addresses_check CHECK (((wallet IS NULL) = (assigned_at IS NULL)));
alter table deposit_addresses add constraint deposit_addresses_check1 CHECK (((wallet IS NULL) OR (retired_at IS NULL)));
alter table deposit_addresses add constraint deposit_addresses_index_check CHECK ((index > 0));
alter table deposit_addresses add constraint deposit_addresses_lively_at_check CHECK (((lively_at >= to_timestamp((0)::double precision)) AND (lively_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table deposit_addresses add constraint deposit_addresses_retired_at_check CHECK (((retired_at >= to_timestamp((0)::double precision)) AND (retired_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table deposit_addresses add constraint deposit_addresses_pkey PRIMARY KEY (index);
alter table deposit_addresses add constraint deposit_addresses_owner_key UNIQUE (owner);
alter table deposit_addresses add constraint deposit_addresses_token_account_key UNIQUE (token_account);
alter table deposit_addresses add constraint deposit_addresses_wallet_key UNIQUE (wallet);
alter table entries add constraint entries_amount_check CHECK ((amount <> 0));
alter table entries add constraint entries_balance_after_check CHECK ((balance_after >= 0));
alter table entries add constraint entries_check CHECK (((account = ANY (ARRAY['deposited'::ledger_account, 'earned'::ledger_account])) = (version IS NOT NULL)));
alter table entries add constraint entries_check1 CHECK (((version IS NULL) = (balance_after IS NULL)));
alter table entries add constraint entries_version_check CHECK ((version > 0));
alter table entries add constraint entries_pkey PRIMARY KEY (wallet, journal_id, line) INCLUDE (amount, version);
alter table frozen_wallets add constraint frozen_wallets_at_check CHECK (((at >= to_timestamp((0)::double precision)) AND (at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table frozen_wallets add constraint frozen_wallets_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 300)));
alter table frozen_wallets add constraint frozen_wallets_who_check CHECK ((who <> ''::text));
alter table frozen_wallets add constraint frozen_wallets_pkey PRIMARY KEY (wallet);
alter table hourly_totals add constraint hourly_totals_claims_check CHECK ((claims >= 0));
alter table hourly_totals add constraint hourly_totals_deposited_check CHECK ((deposited >= 0));
alter table hourly_totals add constraint hourly_totals_hires_check CHECK ((hires >= 0));
alter table hourly_totals add constraint hourly_totals_hour_check CHECK (((hour >= to_timestamp((0)::double precision)) AND (hour <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table hourly_totals add constraint hourly_totals_new_players_check CHECK ((new_players >= 0));
alter table hourly_totals add constraint hourly_totals_parcels_check CHECK ((parcels >= 0));
alter table hourly_totals add constraint hourly_totals_players_check CHECK ((players >= 0));
alter table hourly_totals add constraint hourly_totals_resales_check CHECK ((resales >= 0));
alter table hourly_totals add constraint hourly_totals_volume_check CHECK ((volume >= 0));
alter table hourly_totals add constraint hourly_totals_withdrawn_check CHECK ((withdrawn >= 0));
alter table hourly_totals add constraint hourly_totals_pkey PRIMARY KEY (hour);
alter table idempotency_keys add constraint idempotency_keys_at_check CHECK (((at >= to_timestamp((0)::double precision)) AND (at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table idempotency_keys add constraint idempotency_keys_pkey PRIMARY KEY (wallet, route, key);
alter table journals add constraint journals_at_check CHECK (((at >= to_timestamp((0)::double precision)) AND (at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table journals add constraint journals_pkey PRIMARY KEY (id);
alter table land add constraint land_bought_at_check CHECK (((bought_at >= to_timestamp((0)::double precision)) AND (bought_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table land add constraint land_price_paid_check CHECK ((price_paid > 0));
alter table land add constraint land_pkey PRIMARY KEY (parcel_id);
alter table land add constraint land_journal_id_key UNIQUE (journal_id);
alter table lanes add constraint lanes_pkey PRIMARY KEY (lane);
alter table lanes add constraint lanes_nonce_account_key UNIQUE (nonce_account);
alter table lanes add constraint lanes_withdrawal_id_key UNIQUE (withdrawal_id);
alter table listings add constraint listings_check CHECK (((state = 'sold'::text) = (buyer IS NOT NULL)));
alter table listings add constraint listings_check1 CHECK (((state = 'sold'::text) = (journal_id IS NOT NULL)));
alter table listings add constraint listings_check2 CHECK (((state = 'active'::text) = (closed_at IS NULL)));
alter table listings add constraint listings_check3 CHECK ((buyer <> seller));
alter table listings add constraint listings_closed_at_check CHECK (((closed_at >= to_timestamp((0)::double precision)) AND (closed_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table listings add constraint listings_listed_at_check CHECK (((listed_at >= to_timestamp((0)::double precision)) AND (listed_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table listings add constraint listings_price_check CHECK (((price > 0) AND ((price % (1000000)::bigint) = 0)));
alter table listings add constraint listings_state_check CHECK ((state = ANY (ARRAY['active'::text, 'sold'::text, 'cancelled'::text])));
alter table listings add constraint listings_parcel_id_fkey FOREIGN KEY (parcel_id) REFERENCES land(parcel_id);
alter table listings add constraint listings_pkey PRIMARY KEY (id);
alter table listings add constraint listings_journal_id_key UNIQUE (journal_id);
alter table login_failures add constraint login_failures_at_check CHECK (((at >= to_timestamp((0)::double precision)) AND (at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table login_failures add constraint login_failures_count_check CHECK (((count >= (0)::double precision) AND (count <= (60)::double precision)));
alter table login_failures add constraint login_failures_pkey PRIMARY KEY (name);
alter table login_key add constraint login_key_key_check CHECK ((octet_length(key) = 32));
alter table login_key add constraint login_key_one_check CHECK (one);
alter table login_key add constraint login_key_pkey PRIMARY KEY (one);
alter table milestones add constraint milestones_granted_at_check CHECK (((granted_at >= to_timestamp((0)::double precision)) AND (granted_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table milestones add constraint milestones_pkey PRIMARY KEY (wallet, code);
alter table nonces add constraint nonces_expires_at_check CHECK (((expires_at >= to_timestamp((0)::double precision)) AND (expires_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table nonces add constraint nonces_pkey PRIMARY KEY (nonce);
alter table operator_acts add constraint operator_acts_at_check CHECK (((at >= to_timestamp((0)::double precision)) AND (at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table operator_acts add constraint operator_acts_check CHECK (((state = 'waiting'::text) = (done_at IS NULL)));
alter table operator_acts add constraint operator_acts_done_at_check CHECK (((done_at >= to_timestamp((0)::double precision)) AND (done_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table operator_acts add constraint operator_acts_expires_at_check CHECK (((expires_at >= to_timestamp((0)::double precision)) AND (expires_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table operator_acts add constraint operator_acts_nonce_check CHECK ((nonce ~ '^[0-9a-f]{32}$'::text));
alter table operator_acts add constraint operator_acts_number_check CHECK ((number > 0));
alter table operator_acts add constraint operator_acts_operator_check CHECK ((operator <> ''::text));
alter table operator_acts add constraint operator_acts_signature_check CHECK ((octet_length(signature) = 64));
alter table operator_acts add constraint operator_acts_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'done'::text, 'refused'::text])));
alter table operator_acts add constraint operator_acts_pkey PRIMARY KEY (nonce);
alter table operator_log add constraint operator_log_who_check CHECK ((who <> ''::text));
alter table operator_log add constraint operator_log_pkey PRIMARY KEY (id);
alter table payout_replacements add constraint payout_replacements_attempt_check CHECK ((attempt > 1));
alter table payout_replacements add constraint payout_replacements_signed_at_check CHECK (((signed_at >= to_timestamp((0)::double precision)) AND (signed_at <= to_timestamp(('253402300799'::bigint)::double precision)))) NOT VALID;
alter table payout_replacements add constraint payout_replacements_unit_price_check CHECK ((unit_price >= 0));
alter table payout_replacements add constraint payout_replacements_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES payouts(withdrawal_id);
alter table payout_replacements add constraint payout_replacements_pkey PRIMARY KEY (withdrawal_id, attempt);
alter table payout_replacements add constraint payout_replacements_signature_key UNIQUE (signature);
alter table payouts add constraint payouts_check CHECK ((num_nulls(lane, nonce, wire) = ANY (ARRAY[0, 3])));
alter table payouts add constraint payouts_signed_at_check CHECK (((signed_at >= to_timestamp((0)::double precision)) AND (signed_at <= to_timestamp(('253402300799'::bigint)::double precision)))) NOT VALID;
alter table payouts add constraint payouts_unit_price_check CHECK ((unit_price >= 0));
alter table payouts add constraint payouts_pkey PRIMARY KEY (withdrawal_id);
alter table payouts add constraint payouts_lane_nonce_key UNIQUE (lane, nonce);
alter table payouts add constraint payouts_signature_key UNIQUE (signature);
alter table prepared_deposits add constraint prepared_deposits_amount_check CHECK ((amount > 0));
alter table prepared_deposits add constraint prepared_deposits_at_check CHECK (((at >= to_timestamp((0)::double precision)) AND (at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table prepared_deposits add constraint prepared_deposits_pkey PRIMARY KEY (message_hash);
alter table receipts add constraint receipts_amount_check CHECK ((amount > (0)::numeric));
alter table receipts add constraint receipts_amount_check1 CHECK ((amount < 'NaN'::numeric));
alter table receipts add constraint receipts_asset_check CHECK ((asset = ANY (ARRAY['cotton'::text, 'sol'::text, 'other_token'::text])));
alter table receipts add constraint receipts_check CHECK (((state = 'credited'::text) = (journal_id IS NOT NULL)));
alter table receipts add constraint receipts_check1 CHECK (((state = 'unclaimed'::text) <= (why IS NOT NULL)));
alter table receipts add constraint receipts_check2 CHECK (((wallet IS NOT NULL) OR (state = 'unclaimed'::text)));
alter table receipts add constraint receipts_credited_at_check CHECK (((credited_at >= to_timestamp((0)::double precision)) AND (credited_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table receipts add constraint receipts_seen_at_check CHECK (((seen_at >= to_timestamp((0)::double precision)) AND (seen_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table receipts add constraint receipts_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'credited'::text, 'unclaimed'::text, 'dropped'::text])));
alter table receipts add constraint receipts_told_at_check CHECK (((told_at >= to_timestamp((0)::double precision)) AND (told_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table receipts add constraint receipts_why_check CHECK ((why = ANY (ARRAY['second_node'::text, 'nodes_disagree'::text, 'sol'::text, 'other_token'::text, 'before_yours'::text, 'of_nobody'::text, 'too_large'::text])));
alter table receipts add constraint receipts_pkey PRIMARY KEY (signature, token_account, asset);
alter table restored_payouts add constraint restored_payouts_acknowledged_at_check CHECK (((acknowledged_at >= to_timestamp((0)::double precision)) AND (acknowledged_at <= to_timestamp(('253402300799'::bigint)::double precision)))) NOT VALID;
alter table restored_payouts add constraint restored_payouts_amount_check CHECK ((amount > 0));
alter table restored_payouts add constraint restored_payouts_borne_check CHECK ((borne >= 0));
alter table restored_payouts add constraint restored_payouts_check CHECK ((((deposited + earned) + borne) <= amount));
alter table restored_payouts add constraint restored_payouts_check1 CHECK ((((deposited + earned) > 0) = (journal_id IS NOT NULL)));
alter table restored_payouts add constraint restored_payouts_check2 CHECK (((borne > 0) = (borne_journal_id IS NOT NULL)));
alter table restored_payouts add constraint restored_payouts_deposited_check CHECK ((deposited >= 0));
alter table restored_payouts add constraint restored_payouts_earned_check CHECK ((earned >= 0));
alter table restored_payouts add constraint restored_payouts_taken_at_check CHECK (((taken_at >= to_timestamp((0)::double precision)) AND (taken_at <= to_timestamp(('253402300799'::bigint)::double precision)))) NOT VALID;
alter table restored_payouts add constraint restored_payouts_pkey PRIMARY KEY (signature);
alter table reward_bounds add constraint reward_bounds_budget_check CHECK ((budget >= 0));
alter table reward_bounds add constraint reward_bounds_day_check CHECK (((day >= '2020-01-01'::date) AND (day <= '2199-12-31'::date))) NOT VALID;
alter table reward_bounds add constraint reward_bounds_pkey PRIMARY KEY (day);
alter table reward_day_wallets add constraint reward_day_wallets_day_check CHECK (((day >= '2020-01-01'::date) AND (day <= '2199-12-31'::date)));
alter table reward_day_wallets add constraint reward_day_wallets_spent_check CHECK ((spent >= 0));
alter table reward_day_wallets add constraint reward_day_wallets_pkey PRIMARY KEY (day, wallet);
alter table reward_days add constraint reward_days_budget_check CHECK ((budget >= 0));
alter table reward_days add constraint reward_days_day_check CHECK (((day >= '2020-01-01'::date) AND (day <= '2199-12-31'::date)));
alter table reward_days add constraint reward_days_spent_check CHECK ((spent >= 0));
alter table reward_days add constraint reward_days_pkey PRIMARY KEY (day);
alter table role_terms add constraint role_terms_holder_check CHECK ((length(holder) <= 500));
alter table role_terms add constraint role_terms_role_check CHECK ((role = ANY (ARRAY['signer'::text, 'watcher'::text])));
alter table role_terms add constraint role_terms_term_check CHECK ((term > 0));
alter table role_terms add constraint role_terms_pkey PRIMARY KEY (role);
alter table schema_migrations add constraint schema_migrations_pkey PRIMARY KEY (name);
alter table sessions add constraint sessions_address_check CHECK ((length(address) <= 60));
alter table sessions add constraint sessions_created_at_check CHECK (((created_at >= to_timestamp((0)::double precision)) AND (created_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table sessions add constraint sessions_device_check CHECK ((length(device) <= 60));
alter table sessions add constraint sessions_ended_at_check CHECK (((ended_at >= to_timestamp((0)::double precision)) AND (ended_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table sessions add constraint sessions_seen_at_check CHECK (((seen_at >= to_timestamp((0)::double precision)) AND (seen_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table sessions add constraint sessions_pkey PRIMARY KEY (token_hash);
alter table sessions add constraint sessions_id_key UNIQUE (id);
alter table settings add constraint settings_pkey PRIMARY KEY (name);
alter table solvency add constraint solvency_at_check CHECK (((at >= to_timestamp((0)::double precision)) AND (at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table solvency add constraint solvency_check CHECK ((surplus = ((((treasury + cold) + deposit_accounts) + in_flight) - (((deposited + pool) + held) - credited_ahead))));
alter table solvency add constraint solvency_check1 CHECK (((NOT confirmed) OR (short_since IS NOT NULL)));
alter table solvency add constraint solvency_cold_check CHECK ((cold >= 0));
alter table solvency add constraint solvency_one_check CHECK (one);
alter table solvency add constraint solvency_short_since_check CHECK (((short_since >= to_timestamp((0)::double precision)) AND (short_since <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table solvency add constraint solvency_took_ms_check CHECK ((took_ms >= 0));
alter table solvency add constraint solvency_treasury_check CHECK ((treasury >= 0));
alter table solvency add constraint solvency_pkey PRIMARY KEY (one);
alter table supply_history add constraint supply_history_at_check CHECK (((at >= to_timestamp((0)::double precision)) AND (at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table supply_history add constraint supply_history_pkey PRIMARY KEY (at);
alter table sweeps add constraint sweeps_amount_check CHECK ((amount > 0));
alter table sweeps add constraint sweeps_at_check CHECK (((at >= to_timestamp((0)::double precision)) AND (at <= to_timestamp(('253402300799'::bigint)::double precision)))) NOT VALID;
alter table sweeps add constraint sweeps_state_check CHECK ((state = ANY (ARRAY['signed'::text, 'finalized'::text, 'failed'::text])));
alter table sweeps add constraint sweeps_pkey PRIMARY KEY (id);
alter table token_account_totals add constraint token_account_totals_pkey PRIMARY KEY (token_account);
alter table users add constraint users_created_at_check CHECK (((created_at >= to_timestamp((0)::double precision)) AND (created_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table users add constraint users_seen_at_check CHECK (((seen_at >= to_timestamp((0)::double precision)) AND (seen_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table users add constraint users_pkey PRIMARY KEY (wallet);
alter table withdrawal_challenges add constraint withdrawal_challenges_amount_check CHECK ((amount > 0));
alter table withdrawal_challenges add constraint withdrawal_challenges_expires_at_check CHECK (((expires_at >= to_timestamp((0)::double precision)) AND (expires_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table withdrawal_challenges add constraint withdrawal_challenges_pkey PRIMARY KEY (nonce);
alter table withdrawal_locks add constraint withdrawal_locks_changed_at_check CHECK (((changed_at >= to_timestamp((0)::double precision)) AND (changed_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table withdrawal_locks add constraint withdrawal_locks_check CHECK (((next_hours >= 0) AND (next_hours < hours)));
alter table withdrawal_locks add constraint withdrawal_locks_check1 CHECK (((next_hours IS NULL) = (next_at IS NULL)));
alter table withdrawal_locks add constraint withdrawal_locks_check2 CHECK ((next_at >= (changed_at + ((hours)::double precision * '01:00:00'::interval))));
alter table withdrawal_locks add constraint withdrawal_locks_hours_check CHECK (((hours >= 0) AND (hours <= 720)));
alter table withdrawal_locks add constraint withdrawal_locks_next_at_check CHECK (((next_at >= to_timestamp((0)::double precision)) AND (next_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table withdrawal_locks add constraint withdrawal_locks_pkey PRIMARY KEY (wallet);
alter table withdrawals add constraint withdrawals_cancelled_at_check CHECK (((cancelled_at >= to_timestamp((0)::double precision)) AND (cancelled_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table withdrawals add constraint withdrawals_check CHECK (((cancelled_at IS NULL) OR (state <> ALL (ARRAY['signed'::text, 'sent'::text]))));
alter table withdrawals add constraint withdrawals_check1 CHECK (((deposited + earned) > 0));
alter table withdrawals add constraint withdrawals_day_check CHECK (((day >= '2020-01-01'::date) AND (day <= '2199-12-31'::date)));
alter table withdrawals add constraint withdrawals_deposited_check CHECK ((deposited >= 0));
alter table withdrawals add constraint withdrawals_earned_check CHECK ((earned >= 0));
alter table withdrawals add constraint withdrawals_judged_at_check CHECK (((judged_at >= to_timestamp((0)::double precision)) AND (judged_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table withdrawals add constraint withdrawals_nonce_check CHECK ((nonce ~ '^[0-9a-f]{32}$'::text));
alter table withdrawals add constraint withdrawals_requested_at_check CHECK (((requested_at >= to_timestamp((0)::double precision)) AND (requested_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table withdrawals add constraint withdrawals_retry_at_check CHECK (((retry_at >= to_timestamp((0)::double precision)) AND (retry_at <= to_timestamp(('253402300799'::bigint)::double precision)))) NOT VALID;
alter table withdrawals add constraint withdrawals_settled_at_check CHECK (((settled_at >= to_timestamp((0)::double precision)) AND (settled_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table withdrawals add constraint withdrawals_signed_form_check CHECK ((signed_form = ANY (ARRAY['raw'::text, 'offchain_v0_line'::text, 'offchain_v0_line_no_domain'::text, 'offchain_v0'::text, 'offchain_v0_no_domain'::text, 'offchain_v1'::text, 'sign_in'::text, 'sign_in_offchain_v1'::text, 'memo_transaction'::text])));
alter table withdrawals add constraint withdrawals_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'review'::text, 'approved'::text, 'signed'::text, 'sent'::text, 'finalized'::text, 'refunded'::text])));
alter table withdrawals add constraint withdrawals_traceparent_check CHECK ((traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'::text));
alter table withdrawals add constraint withdrawals_verdict_mac_check CHECK ((octet_length(verdict_mac) = 32));
alter table withdrawals add constraint withdrawals_wallet_signature_check CHECK ((octet_length(wallet_signature) = 64));
alter table withdrawals add constraint withdrawals_pkey PRIMARY KEY (id);
alter table withdrawals add constraint withdrawals_hold_id_key UNIQUE (hold_id);
alter table worker_types add constraint worker_types_check CHECK (((sold >= 0) AND (sold <= max_supply)));
alter table worker_types add constraint worker_types_max_supply_check CHECK ((max_supply >= 0));
alter table worker_types add constraint worker_types_pkey PRIMARY KEY (worker_type);
alter table workers add constraint workers_base_check CHECK ((base >= 0));
alter table workers add constraint workers_claimed_check CHECK ((claimed >= 0));
alter table workers add constraint workers_purchased_at_check CHECK (((purchased_at >= to_timestamp((0)::double precision)) AND (purchased_at <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table workers add constraint workers_rate_per_hour_check CHECK ((rate_per_hour > 0));
alter table workers add constraint workers_since_check CHECK (((since >= to_timestamp((0)::double precision)) AND (since <= to_timestamp(('253402300799'::bigint)::double precision))));
alter table workers add constraint workers_pkey PRIMARY KEY (wallet, worker_id);

CREATE INDEX announcements_by_end ON public.announcements USING btree (ends_at) WHERE (withdrawn_at IS NULL);
CREATE INDEX announcements_newest ON public.announcements USING btree (created_at DESC, id DESC);
CREATE INDEX console_sessions_by_age ON public.console_sessions USING btree (created_at);
CREATE INDEX deposit_addresses_free ON public.deposit_addresses USING btree (index) WHERE ((wallet IS NULL) AND (retired_at IS NULL));
CREATE INDEX deposit_addresses_lively ON public.deposit_addresses USING btree (lively_at) WHERE (lively_at IS NOT NULL);
CREATE INDEX deposit_addresses_of_nobody ON public.deposit_addresses USING btree (index) WHERE (wallet IS NULL);
CREATE UNIQUE INDEX entries_by_version ON public.entries USING btree (wallet, account, version) WHERE (version IS NOT NULL);
CREATE INDEX entries_of_reserves ON public.entries USING btree (account) INCLUDE (amount) WHERE (account = ANY (ARRAY['treasury'::ledger_account, 'pool'::ledger_account, 'held'::ledger_account]));
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (at);
CREATE INDEX journals_by_kind ON public.journals USING btree (kind, id) WHERE (kind <> 'claim'::move_kind);
CREATE INDEX journals_by_wallet ON public.journals USING btree (wallet, kind, id);
CREATE INDEX journals_of_operators ON public.journals USING btree (kind, at) WHERE (kind = ANY (ARRAY['funding'::move_kind, 'adjustment'::move_kind]));
CREATE INDEX journals_releasing ON public.journals USING btree (wallet, ((detail ->> 'withdrawalId'::text))) WHERE (kind = ANY (ARRAY['refund'::move_kind, 'cancellation'::move_kind, 'settlement'::move_kind]));
CREATE INDEX land_by_region ON public.land USING btree (region);
CREATE UNIQUE INDEX listings_active ON public.listings USING btree (parcel_id) WHERE (state = 'active'::text);
CREATE INDEX listings_by_buyer ON public.listings USING btree (buyer, closed_at DESC) WHERE (state = 'sold'::text);
CREATE INDEX listings_sold ON public.listings USING btree (parcel_id, closed_at DESC, id DESC) WHERE (state = 'sold'::text);
CREATE INDEX listings_sold_by_journal ON public.listings USING btree (seller, journal_id) WHERE (state = 'sold'::text);
CREATE INDEX listings_sold_of_seller ON public.listings USING btree (seller, listed_at DESC, id DESC) WHERE (state = 'sold'::text);
CREATE INDEX listings_sold_parcels ON public.listings USING btree (seller, parcel_id) WHERE (state = 'sold'::text);
CREATE INDEX login_failures_by_age ON public.login_failures USING btree (at);
CREATE INDEX nonces_by_expiry ON public.nonces USING btree (expires_at);
CREATE INDEX operator_acts_adjusted ON public.operator_acts USING btree (operator, done_at) WHERE ((kind = 'adjust'::text) AND (state = 'done'::text));
CREATE INDEX operator_acts_by_state ON public.operator_acts USING btree (state, at DESC, nonce DESC);
CREATE INDEX operator_acts_newest ON public.operator_acts USING btree (at DESC, nonce DESC);
CREATE UNIQUE INDEX operator_acts_number ON public.operator_acts USING btree (kind, COALESCE((details ->> 'wallet'::text), (details ->> 'continent'::text), ''::text), number) WHERE ((state = 'done'::text) AND (number IS NOT NULL));
CREATE INDEX operator_acts_of_withdrawal ON public.operator_acts USING btree (withdrawal_id) WHERE (withdrawal_id IS NOT NULL);
CREATE INDEX operator_acts_waiting ON public.operator_acts USING btree (at, nonce) WHERE (state = 'waiting'::text);
CREATE INDEX operator_log_by_who ON public.operator_log USING btree (lower(who), id DESC);
CREATE INDEX prepared_deposits_by_age ON public.prepared_deposits USING btree (at);
CREATE INDEX receipts_by_slot ON public.receipts USING btree (slot) WHERE ((asset = 'cotton'::text) AND (state = 'credited'::text));
CREATE INDEX receipts_by_wallet ON public.receipts USING btree (wallet, seen_at DESC);
CREATE INDEX receipts_credited ON public.receipts USING btree (token_account) INCLUDE (amount, slot) WHERE ((state = 'credited'::text) AND (asset = 'cotton'::text));
CREATE INDEX receipts_credited_of_wallet ON public.receipts USING btree (wallet) WHERE ((asset = 'cotton'::text) AND (state = 'credited'::text) AND (amount > (0)::numeric));
CREATE INDEX receipts_foreign ON public.receipts USING btree (token_account, wallet) INCLUDE (amount) WHERE ((asset = 'other_token'::text) AND (state = 'unclaimed'::text) AND (wallet IS NOT NULL));
CREATE INDEX receipts_newest ON public.receipts USING btree (credited_at DESC) WHERE ((asset = 'cotton'::text) AND (state = 'credited'::text));
CREATE INDEX receipts_of_nobody ON public.receipts USING btree (seen_at DESC) WHERE ((state = 'unclaimed'::text) AND (wallet IS NULL));
CREATE INDEX receipts_pending ON public.receipts USING btree (wallet) WHERE (state = 'pending'::text);
CREATE INDEX receipts_pending_newest ON public.receipts USING btree (seen_at DESC) WHERE ((state = 'pending'::text) AND (seen_at > '-infinity'::timestamp with time zone));
CREATE INDEX receipts_unclaimed ON public.receipts USING btree (seen_at DESC) WHERE (state = 'unclaimed'::text);
CREATE INDEX receipts_uncredited ON public.receipts USING btree (wallet, seen_at DESC, signature DESC, token_account DESC, asset DESC) WHERE (state = ANY (ARRAY['pending'::text, 'unclaimed'::text]));
CREATE INDEX receipts_untold ON public.receipts USING btree (wallet) WHERE ((state = 'credited'::text) AND (told_at IS NULL));
CREATE INDEX sessions_by_age ON public.sessions USING btree (created_at);
CREATE INDEX sessions_by_wallet ON public.sessions USING btree (wallet, created_at DESC);
CREATE INDEX sessions_ended ON public.sessions USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX sweeps_by_account ON public.sweeps USING btree (token_account);
CREATE UNIQUE INDEX sweeps_by_signature ON public.sweeps USING btree (signature);
CREATE INDEX sweeps_landed ON public.sweeps USING btree (at) WHERE (state = 'finalized'::text);
CREATE UNIQUE INDEX sweeps_open ON public.sweeps USING btree (token_account) WHERE (state = 'signed'::text);
CREATE INDEX token_account_totals_open ON public.token_account_totals USING btree (token_account) WHERE is_open;
CREATE INDEX users_by_age ON public.users USING btree (created_at);
CREATE INDEX users_by_prefix ON public.users USING btree (wallet COLLATE "C");
CREATE INDEX withdrawal_challenges_by_expiry ON public.withdrawal_challenges USING btree (expires_at);
CREATE INDEX withdrawals_approved ON public.withdrawals USING btree (judged_at) INCLUDE (deposited, earned, id) WHERE (state = ANY (ARRAY['approved'::text, 'signed'::text, 'sent'::text, 'finalized'::text]));
CREATE INDEX withdrawals_by_day ON public.withdrawals USING btree (day);
CREATE UNIQUE INDEX withdrawals_by_nonce ON public.withdrawals USING btree (wallet, nonce);
CREATE INDEX withdrawals_by_state ON public.withdrawals USING btree (state, requested_at, id);
CREATE INDEX withdrawals_by_wallet ON public.withdrawals USING btree (wallet, requested_at DESC, id DESC);
CREATE INDEX withdrawals_cancelled ON public.withdrawals USING btree (cancelled_at) WHERE ((cancelled_at IS NOT NULL) AND (state = ANY (ARRAY['requested'::text, 'review'::text, 'approved'::text])));
CREATE INDEX withdrawals_frozen ON public.withdrawals USING btree (wallet) WHERE ((state = 'review'::text) AND ('frozen'::text = ANY (reasons)));
CREATE INDEX withdrawals_judged ON public.withdrawals USING btree (judged_at);
CREATE INDEX withdrawals_judged_of_wallet ON public.withdrawals USING btree (wallet, judged_at) INCLUDE (deposited, earned, id) WHERE (state <> 'refunded'::text);
CREATE INDEX withdrawals_open ON public.withdrawals USING btree (state, cancelled_at, retry_at, requested_at, id) WHERE (state <> ALL (ARRAY['finalized'::text, 'refunded'::text]));
CREATE INDEX withdrawals_open_of_wallet ON public.withdrawals USING btree (wallet) WHERE (state <> ALL (ARRAY['finalized'::text, 'refunded'::text]));
CREATE INDEX withdrawals_paid_of_wallet ON public.withdrawals USING btree (wallet, settled_at) WHERE (state = 'finalized'::text);
CREATE INDEX withdrawals_rewarded ON public.withdrawals USING btree (day) INCLUDE (wallet, earned, state, id) WHERE ((earned > 0) AND (state <> 'refunded'::text));
CREATE INDEX withdrawals_settled ON public.withdrawals USING btree (settled_at) WHERE (state = 'finalized'::text);
CREATE INDEX workers_by_age ON public.workers USING btree (wallet, purchased_at, worker_id);

CREATE OR REPLACE FUNCTION public.bound_act()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_user = 'console' and (
    greatest(length(new.kind), length(new.operator), length(new.signed_form)) > 100
    or octet_length(new.details::text) > 4096
  ) then
    raise exception 'an act of an operator is smaller';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.bound_announcement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.created_by := left(new.created_by, 100);
  new.withdrawn_by := left(new.withdrawn_by, 100);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.bound_log_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_user in ('console', 'signer') then
    new.who := left(new.who, 100);
    new.command := left(new.command, 100);
    new.reason := left(new.reason, 4000);
    new.outcome := left(new.outcome, 4000);
    if length(new.arguments::text) > 4000 then
      new.arguments := '{}';
    end if;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.bound_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.at := least(greatest(new.at, to_timestamp(0)), to_timestamp(253402300799));
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.decided_acts_are_final()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.state <> 'waiting' or (new.nonce, new.kind, new.withdrawal_id, new.details, new.operator, new.signature,
      new.signed_form, new.at, new.expires_at, new.number) is distinct from (old.nonce, old.kind, old.withdrawal_id, old.details,
      old.operator, old.signature, old.signed_form, old.at, old.expires_at, old.number) then
    raise exception 'an act of an operator is decided once and never changes';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.end_player_sessions(of_wallet text, at_time timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with ended as (
    update sessions set ended_at = at_time where ended_at is null and token_hash = any(array(
      select token_hash from sessions where wallet = of_wallet and ended_at is null limit 10000 for no key update
    )) returning token_hash
  )
  select count(*)::integer from ended
$function$;

CREATE OR REPLACE FUNCTION public.entries_must_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.fill_totals()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.freeze_wallet(frozen text, why text, by_whom text, since timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with added as (
    insert into frozen_wallets (wallet, reason, who, at) values (frozen, why, left(by_whom, 100), since)
    on conflict do nothing returning wallet
  )
  select exists (select from added)
$function$;

CREATE OR REPLACE FUNCTION public.frozen_balance_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_user in ('api', 'watcher') and not (new.class = 'deposited' and new.balance >= old.balance) then
    raise exception 'the wallet % is frozen', new.wallet;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.frozen_wallet_acts()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  acting text := to_jsonb(coalesce(old, new)) ->> tg_argv[0];
begin
  if current_user = 'api' and exists (select from accounts a where a.wallet = acting and a.frozen) then
    raise exception 'the wallet % is frozen', acting;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.history_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION public.lock_accounts(wallets text[])
 RETURNS SETOF accounts
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.lock_may_not_weaken()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_user = 'api' and (
    new.changed_at < old.changed_at - interval '5 minutes'
    or new.hours < case when old.next_at <= new.changed_at then old.next_hours else old.hours end
  ) then
    raise exception 'a lock may not become weaker before its time';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.mark_frozen_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.mark_open_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.is_open := new.credited > 0 and new.credited <> new.swept;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.pause_withdrawals(why text, since timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into settings (name, value, at)
  values ('withdrawals_paused', jsonb_build_object('id', gen_random_uuid(), 'why', left(coalesce(why, ''), 300)), since)
  on conflict (name) do update
    set value = jsonb_build_object('id', gen_random_uuid(), 'why',
      case when strpos(coalesce(settings.value ->> 'why', ''), left(pause_withdrawals.why, 300)) > 0 then settings.value ->> 'why'
        else left(concat_ws(' And: ', nullif(settings.value ->> 'why', ''), left(pause_withdrawals.why, 300)), 700) end)
$function$;

CREATE OR REPLACE FUNCTION public.protect_role_terms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_user in ('signer', 'watcher') and new.role <> current_user then
    raise exception 'the login % may not take the term of the role %', current_user, new.role using errcode = '42501';
  end if;
  if tg_op = 'UPDATE' and new.term < old.term then
    raise exception 'a term never becomes lower' using errcode = '23514';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.total_balances()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.total_receipts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.total_reserves()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.total_sweeps()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op <> 'INSERT' and old.state = 'finalized' then
    update token_account_totals t set swept = t.swept - old.amount where t.token_account = old.token_account;
  end if;
  if tg_op <> 'DELETE' and new.state = 'finalized' then
    insert into token_account_totals as t (token_account, swept) values (new.token_account, new.amount)
    on conflict (token_account) do update set swept = t.swept + excluded.swept;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.unfreeze_wallet(frozen text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with removed as (delete from frozen_wallets where wallet = frozen returning wallet)
  select exists (select from removed)
$function$;

CREATE TRIGGER accounts_added_totals AFTER INSERT ON public.accounts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION total_balances();
CREATE TRIGGER accounts_changed_totals AFTER UPDATE ON public.accounts REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION total_balances();
CREATE TRIGGER accounts_frozen AFTER UPDATE ON public.accounts FOR EACH ROW WHEN (old.frozen) EXECUTE FUNCTION frozen_balance_moved();
CREATE TRIGGER accounts_removed_totals AFTER DELETE ON public.accounts REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION total_balances();
CREATE TRIGGER announcements_bounds BEFORE INSERT OR UPDATE ON public.announcements FOR EACH ROW EXECUTE FUNCTION bound_announcement();
CREATE TRIGGER entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.entries FOR EACH STATEMENT EXECUTE FUNCTION history_is_append_only();
CREATE TRIGGER entries_balance AFTER INSERT ON public.entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION entries_must_balance();
CREATE TRIGGER entries_totals AFTER INSERT ON public.entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION total_reserves();
CREATE TRIGGER frozen_wallets_mark AFTER INSERT OR DELETE OR UPDATE OF wallet ON public.frozen_wallets FOR EACH ROW EXECUTE FUNCTION mark_frozen_accounts();
CREATE TRIGGER journals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.journals FOR EACH STATEMENT EXECUTE FUNCTION history_is_append_only();
CREATE TRIGGER land_of_frozen BEFORE UPDATE OF wallet ON public.land FOR EACH ROW EXECUTE FUNCTION frozen_wallet_acts('wallet');
CREATE TRIGGER listings_of_frozen BEFORE INSERT ON public.listings FOR EACH ROW EXECUTE FUNCTION frozen_wallet_acts('seller');
CREATE TRIGGER milestones_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.milestones FOR EACH STATEMENT EXECUTE FUNCTION history_is_append_only();
CREATE TRIGGER operator_acts_append_only BEFORE DELETE OR TRUNCATE ON public.operator_acts FOR EACH STATEMENT EXECUTE FUNCTION history_is_append_only();
CREATE TRIGGER operator_acts_bounds BEFORE INSERT ON public.operator_acts FOR EACH ROW EXECUTE FUNCTION bound_act();
CREATE TRIGGER operator_acts_final BEFORE UPDATE ON public.operator_acts FOR EACH ROW EXECUTE FUNCTION decided_acts_are_final();
CREATE TRIGGER operator_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.operator_log FOR EACH STATEMENT EXECUTE FUNCTION history_is_append_only();
CREATE TRIGGER operator_log_bounds BEFORE INSERT ON public.operator_log FOR EACH ROW EXECUTE FUNCTION bound_log_line();
CREATE TRIGGER operator_log_time BEFORE INSERT ON public.operator_log FOR EACH ROW EXECUTE FUNCTION bound_time();
CREATE TRIGGER payout_replacements_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_replacements FOR EACH STATEMENT EXECUTE FUNCTION history_is_append_only();
CREATE TRIGGER receipts_totals AFTER INSERT OR DELETE OR UPDATE OF token_account, asset, amount, state ON public.receipts FOR EACH ROW EXECUTE FUNCTION total_receipts();
CREATE TRIGGER protect_role_terms BEFORE INSERT OR UPDATE ON public.role_terms FOR EACH ROW EXECUTE FUNCTION protect_role_terms();
CREATE TRIGGER settings_time BEFORE INSERT OR UPDATE ON public.settings FOR EACH ROW EXECUTE FUNCTION bound_time();
CREATE TRIGGER sweeps_totals AFTER INSERT OR DELETE OR UPDATE OF token_account, amount, state ON public.sweeps FOR EACH ROW EXECUTE FUNCTION total_sweeps();
CREATE TRIGGER token_account_totals_open BEFORE INSERT OR UPDATE ON public.token_account_totals FOR EACH ROW EXECUTE FUNCTION mark_open_account();
CREATE TRIGGER withdrawal_locks_hold BEFORE UPDATE ON public.withdrawal_locks FOR EACH ROW EXECUTE FUNCTION lock_may_not_weaken();
CREATE TRIGGER withdrawal_locks_of_frozen BEFORE INSERT OR UPDATE ON public.withdrawal_locks FOR EACH ROW EXECUTE FUNCTION frozen_wallet_acts('wallet');

revoke all on function end_player_sessions(text,timestamp with time zone) from public;
revoke all on function fill_totals() from public;
revoke all on function freeze_wallet(text,text,text,timestamp with time zone) from public;
revoke all on function mark_frozen_accounts() from public;
revoke all on function pause_withdrawals(text,timestamp with time zone) from public;
revoke all on function total_balances() from public;
revoke all on function total_receipts() from public;
revoke all on function total_reserves() from public;
revoke all on function total_sweeps() from public;
revoke all on function unfreeze_wallet(text) from public;
grant usage on schema public to api;
grant usage on schema public to console;
grant usage on schema public to readonly;
grant usage on schema public to signer;
grant usage on schema public to watcher;
grant insert (class), insert (wallet), select, update (balance), update (version) on table accounts to api;
grant select on table accounts to console;
grant select on table accounts to readonly;
grant insert (class), insert (wallet), select, update (balance), update (version) on table accounts to signer;
grant insert (class), insert (wallet), select, update (balance), update (version) on table accounts to watcher;
grant select on table alerts to readonly;
grant delete, insert, select, update (sent_at) on table alerts to watcher;
grant select on table announcements to api;
grant insert, select, update (withdrawn_at), update (withdrawn_by) on table announcements to console;
grant select on table announcements to readonly;
grant select on table checked_balances to readonly;
grant insert, select, update on table checked_balances to signer;
grant delete, insert, select, update on table console_sessions to console;
grant select, update (owned), update (price), update (version) on table continents to api;
grant select on table continents to console;
grant select on table continents to readonly;
grant select on table credit_totals to api;
grant select on table credit_totals to console;
grant select on table credit_totals to readonly;
grant select on table credit_totals to signer;
grant select on table credit_totals to watcher;
grant select, update (assigned_at), update (assigned_slot), update (cursor_signature), update (cursor_slot), update (lively_at), update (owner_cursor_signature), update (owner_cursor_slot), update (retired_at), update (wallet) on table deposit_addresses to api;
grant select on table deposit_addresses to console;
grant select on table deposit_addresses to readonly;
grant insert, select, update (retired_at) on table deposit_addresses to signer;
grant select, update (cursor_signature), update (cursor_slot), update (lively_at), update (owner_cursor_signature), update (owner_cursor_slot), update (retired_at) on table deposit_addresses to watcher;
grant execute on function end_player_sessions(text,timestamp with time zone) to console;
grant insert, select on table entries to api;
grant select on table entries to console;
grant select on table entries to readonly;
grant insert, select on table entries to signer;
grant insert, select on table entries to watcher;
grant execute on function freeze_wallet(text,text,text,timestamp with time zone) to console;
grant select on table frozen_wallets to api;
grant select on table frozen_wallets to console;
grant select on table frozen_wallets to readonly;
grant select on table frozen_wallets to signer;
grant select on table hourly_totals to console;
grant select on table hourly_totals to readonly;
grant insert, select, update on table hourly_totals to watcher;
grant delete, insert, select, update on table idempotency_keys to api;
grant insert, select on table journals to api;
grant select on table journals to console;
grant select on table journals to readonly;
grant insert, select on table journals to signer;
grant insert, select on table journals to watcher;
grant insert, select, update (wallet) on table land to api;
grant select on table land to console;
grant select on table land to readonly;
grant select on table lanes to readonly;
grant insert, select, update on table lanes to signer;
grant insert, select, update (buyer), update (closed_at), update (journal_id), update (state) on table listings to api;
grant select on table listings to console;
grant select on table listings to readonly;
grant select (journal_id), select (price) on table listings to watcher;
grant delete, insert, select, update on table login_failures to api;
grant select on table login_key to api;
grant insert, select on table milestones to api;
grant select on table milestones to readonly;
grant delete, insert, select, update on table nonces to api;
grant insert, select (nonce) on table nonces to console;
grant insert (at), insert (details), insert (expires_at), insert (kind), insert (nonce), insert (number), insert (operator), insert (signature), insert (signed_form), insert (withdrawal_id), select on table operator_acts to console;
grant select on table operator_acts to readonly;
grant select, update (done_at), update (outcome), update (state) on table operator_acts to signer;
grant insert (arguments), insert (at), insert (command), insert (outcome), insert (reason), insert (who), select on table operator_log to console;
grant select on table operator_log to readonly;
grant insert (arguments), insert (at), insert (command), insert (outcome), insert (reason), insert (who) on table operator_log to signer;
grant execute on function pause_withdrawals(text,timestamp with time zone) to console;
grant execute on function pause_withdrawals(text,timestamp with time zone) to signer;
grant execute on function pause_withdrawals(text,timestamp with time zone) to watcher;
grant select (attempt), select (signature), select (signed_at), select (withdrawal_id) on table payout_replacements to api;
grant select (attempt), select (signature), select (signed_at), select (withdrawal_id) on table payout_replacements to console;
grant select (attempt), select (signature), select (signed_at), select (unit_price), select (withdrawal_id) on table payout_replacements to readonly;
grant insert, select on table payout_replacements to signer;
grant select (signature), select (withdrawal_id) on table payout_replacements to watcher;
grant select (signature), select (signed_at), select (withdrawal_id) on table payouts to api;
grant select (signature), select (signed_at), select (withdrawal_id) on table payouts to console;
grant select (lane), select (nonce), select (opens_account), select (signature), select (signed_at), select (unit_price), select (withdrawal_id) on table payouts to readonly;
grant insert, select on table payouts to signer;
grant select (signature), select (signed_at), select (withdrawal_id) on table payouts to watcher;
grant delete, insert, select, update on table prepared_deposits to api;
grant insert, select, update on table receipts to api;
grant select on table receipts to console;
grant select on table receipts to readonly;
grant select on table receipts to signer;
grant insert, select, update on table receipts to watcher;
grant select on table restored_payouts to console;
grant select on table restored_payouts to readonly;
grant insert, select, update on table restored_payouts to signer;
grant select on table reward_bounds to readonly;
grant insert, select on table reward_bounds to signer;
grant insert, select, update (spent) on table reward_day_wallets to api;
grant select on table reward_day_wallets to readonly;
grant select, update on table reward_day_wallets to signer;
grant insert, select, update (spent) on table reward_days to api;
grant select on table reward_days to console;
grant select on table reward_days to readonly;
grant insert, select, update on table reward_days to signer;
grant select on table role_terms to readonly;
grant insert, select, update on table role_terms to signer;
grant insert, select, update on table role_terms to watcher;
grant select on table schema_migrations to api;
grant select on table schema_migrations to console;
grant select on table schema_migrations to readonly;
grant select on table schema_migrations to signer;
grant select on table schema_migrations to watcher;
grant delete, insert, select, update on table sessions to api;
grant select (address), select (created_at), select (device), select (ended_at), select (id), select (seen_at), select (wallet) on table sessions to console;
grant select on table settings to api;
grant select on table settings to console;
grant select on table settings to readonly;
grant delete, insert, select, update on table settings to signer;
grant select on table settings to watcher;
grant select on table solvency to api;
grant select on table solvency to console;
grant select on table solvency to readonly;
grant select on table solvency to signer;
grant insert, select, update on table solvency to watcher;
grant select on table supply_history to api;
grant select on table supply_history to console;
grant select on table supply_history to readonly;
grant insert, select on table supply_history to watcher;
grant select (amount), select (at), select (signature), select (state), select (token_account) on table sweeps to console;
grant select (amount), select (at), select (id), select (last_valid_height), select (signature), select (state), select (token_account) on table sweeps to readonly;
grant insert, select, update on table sweeps to signer;
grant select (amount), select (at), select (signature), select (state), select (token_account) on table sweeps to watcher;
grant select on table token_account_totals to readonly;
grant select on table token_account_totals to signer;
grant select on table token_account_totals to watcher;
grant execute on function unfreeze_wallet(text) to signer;
grant insert, select, update (seen_at) on table users to api;
grant select on table users to console;
grant select on table users to readonly;
grant select (wallet) on table users to signer;
grant select (created_at) on table users to watcher;
grant delete, insert, select, update on table withdrawal_challenges to api;
grant insert, select, update on table withdrawal_locks to api;
grant select on table withdrawal_locks to console;
grant select on table withdrawal_locks to readonly;
grant insert (day), insert (deposited), insert (earned), insert (hold_id), insert (id), insert (nonce), insert (requested_at), insert (signed_form), insert (traceparent), insert (wallet), insert (wallet_signature), select, update (cancelled_at) on table withdrawals to api;
grant select (cancelled_at), select (deposited), select (earned), select (id), select (judged_at), select (paid_by), select (reason), select (reasons), select (requested_at), select (retry_at), select (settled_at), select (state), select (wallet) on table withdrawals to console;
grant select on table withdrawals to readonly;
grant select, update (judged_at), update (paid_by), update (reason), update (reasons), update (retry_at), update (settled_at), update (state), update (tries), update (verdict_mac) on table withdrawals to signer;
grant select (deposited), select (earned), select (id), select (judged_at), select (paid_by), select (requested_at), select (settled_at), select (state), select (traceparent) on table withdrawals to watcher;
grant select, update (sold) on table worker_types to api;
grant select on table worker_types to console;
grant select on table worker_types to readonly;
grant insert, select, update (base), update (claimed), update (since) on table workers to api;
grant select on table workers to console;
grant select on table workers to readonly;
