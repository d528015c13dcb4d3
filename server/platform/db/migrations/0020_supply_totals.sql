-- Supply totals: the transparency page reads no history ---------------------------------------------

-- Earned credit has no total of its own: every journal keeps emission, earned and burned at zero together.
alter table credit_totals
  add column emission numeric not null default 0,
  add column burned numeric not null default 0,
  -- Deposited credit that players paid into the pool.
  add column spent numeric not null default 0;

create or replace function total_reserves() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
end $$;

create or replace function fill_totals() returns void language plpgsql set search_path = public, pg_temp as $$
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
end $$;
select fill_totals();

grant select on credit_totals to api;

-- The list of uncredited deposits goes on behind any of its rows --------------------------------------

drop index receipts_uncredited;
create index receipts_uncredited on receipts (wallet, seen_at desc, signature desc, token_account desc, asset desc)
  where state in ('pending', 'unclaimed');
