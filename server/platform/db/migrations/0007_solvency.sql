-- Solvency ----------------------------------------------------------------------------------------

-- The last look at tokens and books, at one slot. Amounts are base units; how each is read stands in the code that
-- writes it.
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
  -- Credited or funded with tokens that came after the slot.
  credited_ahead bigint not null,
  surplus bigint not null,
  -- Since when there are fewer tokens than owed; a breach stands once a later look has confirmed it.
  short_since timestamptz,
  confirmed boolean not null default false,
  check (surplus = treasury + deposit_accounts + in_flight - (deposited + pool + held - credited_ahead)),
  check (not confirmed or short_since is not null)
);

-- What there was of each kind of credit, from time to time, so that anybody can see how it moves.
create table supply_history (
  at timestamptz primary key,
  emitted bigint not null,
  burned bigint not null,
  spent bigint not null
);

create index receipts_credited on receipts (token_account) include (amount, slot)
  where state = 'credited' and asset = 'cotton';
-- The few moves that no table of a feature counts.
create index journals_of_operators on journals (kind, at) where kind in ('funding', 'adjustment');

-- Whoever sees that tokens are missing may stop withdrawals, and can change no other setting with it.
create function pause_withdrawals(why text, since timestamptz) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into settings (name, value, at) values ('withdrawals_paused', jsonb_build_object('why', why), since)
  on conflict (name) do update
    set value = jsonb_build_object('why', (settings.value ->> 'why') || ' And: ' || pause_withdrawals.why)
    where strpos(settings.value ->> 'why', pause_withdrawals.why) = 0
$$;
revoke all on function pause_withdrawals(text, timestamptz) from public;
grant execute on function pause_withdrawals(text, timestamptz) to watcher, signer;

grant select, insert, update on solvency to watcher;
grant select, insert on supply_history to watcher;
grant select on workers to watcher;
grant select (token_account, amount, signature, state, at) on sweeps to watcher;
grant select (withdrawal_id, signature) on payouts, payout_replacements to watcher;
grant select (id, deposited, earned, state, settled_at) on withdrawals to watcher;
grant select on solvency, supply_history to api, signer, readonly;
