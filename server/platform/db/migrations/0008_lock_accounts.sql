-- Accounts in one statement ---------------------------------------------------------------------

-- Locks the accounts of these wallets in order, and makes those that do not exist yet. What is sent right behind
-- this statement, without waiting for its answer, is done under these locks for new wallets too.
create function lock_accounts(wallets text[]) returns setof accounts language plpgsql as $$
begin
  if exists (
    select from unnest(wallets) as asked (wallet)
    where not exists (select from accounts a where a.wallet = asked.wallet)
  ) then
    insert into accounts (wallet, class)
    select asked.wallet, class from unnest(wallets) as asked (wallet), unnest(enum_range(null::credit_class)) as class
    order by asked.wallet, class
    on conflict do nothing;
  end if;
  return query
    select a.* from accounts a where a.wallet = any(wallets) order by a.wallet, a.class for update;
end $$;
