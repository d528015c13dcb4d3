-- Ends at most ten thousand sessions, because a statement of the console may take twenty seconds. The rows are locked where they are
-- found, so that fewer are ended only if none is left.
create or replace function end_player_sessions(of_wallet text, at_time timestamptz) returns integer
  language sql security definer set search_path = public, pg_temp as $$
  with ended as (
    update sessions set ended_at = at_time where ended_at is null and token_hash = any(array(
      select token_hash from sessions where wallet = of_wallet and ended_at is null limit 10000 for no key update
    )) returning token_hash
  )
  select count(*)::integer from ended
$$;
