-- A signed act names the pause or the freeze that it lifts. The id is chosen here, so that whoever pauses or freezes cannot
-- choose one that an old act names. A reason that is added gives a pause a new id: an act lifts no reason that is newer.
create or replace function pause_withdrawals(why text, since timestamptz) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into settings (name, value, at)
  values ('withdrawals_paused', jsonb_build_object('id', gen_random_uuid(), 'why', left(why, 300)), since)
  on conflict (name) do update
    set value = jsonb_build_object('id', gen_random_uuid(),
      'why', left((settings.value ->> 'why') || ' And: ' || left(pause_withdrawals.why, 300), 700))
    where strpos(settings.value ->> 'why', left(pause_withdrawals.why, 300)) = 0
$$;
update settings set value = value || jsonb_build_object('id', gen_random_uuid()) where name = 'withdrawals_paused';

alter table frozen_wallets add column id uuid not null default gen_random_uuid();
