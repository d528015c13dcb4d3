-- Out of the treasury comes a deposit --------------------------------------------------------------

-- A login that serves players takes out of the treasury for a player's deposit and for nothing else: what funds the
-- pool is the operator's word, and the watch over the reserve believes it. The first look lets everything pass that
-- can break no law, as before.
create or replace function entries_must_balance() returns trigger language plpgsql as $$
begin
  if not exists (
    select from added group by journal_id, account in ('emission', 'earned', 'burned')
    having sum(amount) <> 0 or bool_or(
      current_user in ('api', 'watcher') and (
        amount < 0 and account in ('held', 'burned', 'pool') or account = 'treasury'
        or current_user = 'watcher' and account <> 'deposited'
      )
    )
  ) then
    return null;
  end if;
  if exists (select from added group by journal_id having sum(amount) <> 0) then
    raise exception 'the entries of a journal do not sum to zero';
  end if;
  if exists (
    select from added group by journal_id
    having sum(amount) filter (where account in ('emission', 'earned', 'burned')) <> 0
  ) then
    raise exception 'a journal turns played credit into tokens';
  end if;
  if current_user in ('api', 'watcher') and exists (
    select from added group by journal_id
    having bool_or(account in ('held', 'burned') and amount < 0 or account = 'treasury' and amount > 0)
      or bool_or(account = 'pool' and amount < 0) and bool_or(account = 'deposited' and amount > 0)
      or (current_user = 'watcher' or bool_or(account = 'treasury')) and bool_or(account not in ('treasury', 'deposited'))
  ) then
    raise exception 'this login may not make such a move';
  end if;
  return null;
end $$;
