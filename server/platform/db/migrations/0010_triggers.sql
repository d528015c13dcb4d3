-- Reads the game's own table, also in a session that has made a temporary one of the same name.
create or replace function frozen_wallet_acts() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  acting text := to_jsonb(coalesce(old, new)) ->> tg_argv[0];
begin
  if current_user = 'api' and exists (select from accounts a where a.wallet = acting and a.frozen) then
    raise exception 'the wallet % is frozen', acting;
  end if;
  return new;
end $$;
-- A restore by an earlier version has made an ordinary trigger of it, which a load of totals leaves out.
alter table token_account_totals enable always trigger token_account_totals_open;
