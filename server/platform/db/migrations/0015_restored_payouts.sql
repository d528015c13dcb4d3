-- What a restore leaves to do ---------------------------------------------------------------------------

-- Payouts on the chain that the books do not owe, once an operator has dealt with them. What was taken back of the
-- wallet's balance has a journal, and so has what the pool bears of the rest; what is left of the amount is a debt.
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

-- A sweep is booked once, whoever books it.
create unique index sweeps_by_signature on sweeps (signature);

-- Players read the reason of a pause, so it stays short however many causes there are.
create or replace function pause_withdrawals(why text, since timestamptz) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into settings (name, value, at)
  values ('withdrawals_paused', jsonb_build_object('why', left(why, 300)), since)
  on conflict (name) do update
    set value = jsonb_build_object('why', left((settings.value ->> 'why') || ' And: ' || left(pause_withdrawals.why, 300), 700))
    where strpos(settings.value ->> 'why', left(pause_withdrawals.why, 300)) = 0
$$;

update settings set value = jsonb_build_object('why', left(value ->> 'why', 300))
where name = 'withdrawals_paused' and length(value ->> 'why') > 300;
