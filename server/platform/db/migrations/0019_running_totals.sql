-- Running totals: a reserve snapshot reads no history ----------------------------------------------

-- What came to each token account and was swept out of it. The triggers below maintain it in the transaction that
-- writes a receipt or a sweep, in whatever order these are learned, also for logins that may not write here.
create table token_account_totals (
  token_account text primary key,
  credited numeric not null default 0,
  unclaimed numeric not null default 0,
  swept numeric not null default 0,
  -- Holds something by the books. A column, so that Postgres knows how few they are.
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
-- Also where a restore has switched the others off.
alter table token_account_totals enable always trigger token_account_totals_open;

-- What is owed: one row for each group of connections, so that no two moves wait for each other here. Only their sum
-- has a meaning.
create table credit_totals (
  shard integer primary key,
  deposited numeric not null default 0,
  pool numeric not null default 0,
  held numeric not null default 0
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
  -- A claim changes earned credit alone, and writes nothing here.
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
  select coalesce(sum(amount) filter (where account = 'pool'), 0) as pool,
    coalesce(sum(amount) filter (where account = 'held'), 0) as held
  into change from added where account in ('pool', 'held');
  if change.pool <> 0 or change.held <> 0 then
    insert into credit_totals as t (shard, pool, held) values (pg_backend_pid() % 1024, change.pool, change.held)
    on conflict (shard) do update set pool = t.pool + excluded.pool, held = t.held + excluded.held;
  end if;
  return null;
end $$;

-- Whoever may put such a function on a table of their own could make up totals.
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

-- Sums everything up anew: here, and for whoever has changed rows with the triggers off.
create function fill_totals() returns void language plpgsql set search_path = public, pg_temp as $$
begin
  lock table receipts, sweeps, accounts, entries in share row exclusive mode;
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
  insert into credit_totals (shard, deposited, pool, held)
  select 0,
    (select coalesce(sum(balance), 0) from accounts where class = 'deposited'),
    (select coalesce(sum(amount), 0) from entries where account = 'pool'),
    (select coalesce(sum(amount), 0) from entries where account = 'held');
end $$;
revoke execute on function fill_totals() from public;
select fill_totals();

grant select on token_account_totals, credit_totals to watcher, signer, readonly;

-- What a snapshot reads beside the totals: what was credited, swept or settled a moment ago.
create index receipts_by_slot on receipts (slot) where asset = 'cotton' and state = 'credited';
create index sweeps_landed on sweeps (at) where state = 'finalized';
create index withdrawals_settled on withdrawals (settled_at) where state = 'finalized';

-- Deposit addresses: which are worth a question in every round --------------------------------------

-- When something last arrived, or the player last asked. To take an address costs nothing and marks nothing.
alter table deposit_addresses add column lively_at timestamptz
  check (lively_at between to_timestamp(0) and to_timestamp(253402300799));
create index deposit_addresses_lively on deposit_addresses (lively_at) where lively_at is not null;
update deposit_addresses a set lively_at = r.newest
from (select wallet, max(seen_at) as newest from receipts where wallet is not null group by wallet) r
where r.wallet = a.wallet and r.newest > now() - interval '1 day';
grant update (lively_at) on deposit_addresses to api, watcher;

-- Rows that have an end: each is found by its age -----------------------------------------------------

-- When the player was last seen in a session that is removed by now.
alter table users add column seen_at timestamptz
  check (seen_at between to_timestamp(0) and to_timestamp(253402300799));
create index sessions_ended on sessions (ended_at) where ended_at is not null;
create index sessions_by_age on sessions (created_at);
grant delete on sessions to api;
grant update (seen_at) on users to api;
