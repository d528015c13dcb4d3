-- contract: unused since 0.1.0
-- What a login of the game may store, and no program of the game stores. Triggers bound texts and times that are stored already in
-- some databases: a check would refuse to restore a backup of such a row, and to update it.

-- The database chooses the number of a line of the operator log, and records which login wrote it. Readers show no more of a line
-- than is stored of it here.
alter table operator_log add column login text;
alter table operator_log alter column login set default current_user;
revoke insert on operator_log from console, signer;
grant insert (at, who, command, arguments, reason, outcome) on operator_log to console, signer;
create function bound_log_line() returns trigger language plpgsql as $$
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
end $$;
create trigger operator_log_bounds before insert on operator_log for each row execute function bound_log_line();

-- Watcher and console choose the time of a pause, console and signer that of a line.
create function bound_time() returns trigger language plpgsql as $$
begin
  new.at := least(greatest(new.at, to_timestamp(0)), to_timestamp(253402300799));
  return new;
end $$;
create trigger operator_log_time before insert on operator_log for each row execute function bound_time();
create trigger settings_time before insert or update on settings for each row execute function bound_time();
update settings set at = at where at not between to_timestamp(0) and to_timestamp(253402300799);

-- The console stores no act that is larger than the signer reads.
create function bound_act() returns trigger language plpgsql as $$
begin
  if current_user = 'console' and (
    greatest(length(new.kind), length(new.operator), length(new.signed_form)) > 100
    or octet_length(new.details::text) > 4096
  ) then
    raise exception 'an act of an operator is smaller';
  end if;
  return new;
end $$;
create trigger operator_acts_bounds before insert on operator_acts for each row execute function bound_act();

-- Names of operators have at most 100 characters.
create function bound_announcement() returns trigger language plpgsql as $$
begin
  new.created_by := left(new.created_by, 100);
  new.withdrawn_by := left(new.withdrawn_by, 100);
  return new;
end $$;
create trigger announcements_bounds before insert or update on announcements
  for each row execute function bound_announcement();
create or replace function freeze_wallet(frozen text, why text, by_whom text, since timestamptz) returns boolean
  language sql security definer set search_path = public, pg_temp as $$
  with added as (
    insert into frozen_wallets (wallet, reason, who, at) values (frozen, why, left(by_whom, 100), since)
    on conflict do nothing returning wallet
  )
  select exists (select from added)
$$;

-- No statement of these logins has used these rights.
revoke update (ends_at) on announcements from console;
revoke select on role_terms from api, console;
revoke select on workers, frozen_wallets from watcher;
revoke select on supply_history from signer;
revoke insert on reward_day_wallets from signer;

-- Only the signer writes these times, from its clock and from the blocks of the chain. `not valid` reads no row that exists.
do $$
declare
  of record;
begin
  for of in
    select * from (values ('restored_payouts', 'taken_at'), ('restored_payouts', 'acknowledged_at'), ('payouts', 'signed_at'),
      ('payout_replacements', 'signed_at'), ('sweeps', 'at'), ('withdrawals', 'retry_at')) as t (name, col)
  loop
    execute format('alter table %I add check (%I between to_timestamp(0) and to_timestamp(253402300799)) not valid', of.name, of.col);
  end loop;
end $$;
alter table reward_bounds add check (day between date '2020-01-01' and date '2199-12-31') not valid;
