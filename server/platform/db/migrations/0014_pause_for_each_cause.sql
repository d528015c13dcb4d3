-- A pause for a reason that is known already may have another cause, which no operator has read. So it has a new id, too: a signed
-- act that names the id before does not lift it.
create or replace function pause_withdrawals(why text, since timestamptz) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into settings (name, value, at)
  values ('withdrawals_paused', jsonb_build_object('id', gen_random_uuid(), 'why', left(coalesce(why, ''), 300)), since)
  on conflict (name) do update
    set value = jsonb_build_object('id', gen_random_uuid(), 'why',
      case when strpos(coalesce(settings.value ->> 'why', ''), left(pause_withdrawals.why, 300)) > 0 then settings.value ->> 'why'
        else left(concat_ws(' And: ', nullif(settings.value ->> 'why', ''), left(pause_withdrawals.why, 300)), 700) end)
$$;
