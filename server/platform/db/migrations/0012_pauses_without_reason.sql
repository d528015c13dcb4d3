-- The logins of console and watcher choose the reason of a pause. One without a reason is one with an empty reason, to which
-- others can be added.
create or replace function pause_withdrawals(why text, since timestamptz) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into settings (name, value, at)
  values ('withdrawals_paused', jsonb_build_object('id', gen_random_uuid(), 'why', left(coalesce(why, ''), 300)), since)
  on conflict (name) do update
    set value = jsonb_build_object('id', gen_random_uuid(), 'why',
      left(concat_ws(' And: ', nullif(settings.value ->> 'why', ''), left(pause_withdrawals.why, 300)), 700))
    where strpos(coalesce(settings.value ->> 'why', ''), left(pause_withdrawals.why, 300)) = 0
$$;
