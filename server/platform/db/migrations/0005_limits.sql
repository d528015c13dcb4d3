-- Withdrawals -------------------------------------------------------------------------------------

alter table withdrawals
  -- Why it waits, as codes; `reason` is the first of them in words.
  add column reasons text[] not null default '{}',
  -- When the signer first looked at it, by the signer's clock. Limits count this, not what a request says of itself.
  add column judged_at timestamptz,
  -- Of all that was signed for it, the transaction that landed.
  add column paid_by text;
create index withdrawals_by_day on withdrawals (day);
create index withdrawals_judged on withdrawals (judged_at);
grant update (reasons, judged_at, paid_by) on withdrawals to signer;

alter table payouts
  -- Microlamports a compute unit.
  add column unit_price bigint not null default 0 check (unit_price >= 0),
  -- Whether it pays for the wallet's token account.
  add column opens_account boolean not null default false;

-- The same payout with a higher fee, on the nonce of the first: of all of them at most one can land.
create table payout_replacements (
  withdrawal_id uuid not null references payouts,
  attempt integer not null check (attempt > 1),
  signature text not null unique,
  wire bytea not null,
  unit_price bigint not null check (unit_price >= 0),
  signed_at timestamptz not null,
  primary key (withdrawal_id, attempt)
);
create trigger payout_replacements_append_only before update or delete or truncate on payout_replacements
  for each statement execute function history_is_append_only();
grant select, insert on payout_replacements to signer;
grant select (withdrawal_id, attempt, signature, signed_at) on payout_replacements to api;
grant select on payout_replacements to readonly;

-- What the signer itself found a day's budget to be at most, from the entries of the pool.
create table reward_bounds (
  day date primary key,
  budget bigint not null check (budget >= 0)
);
grant select, insert on reward_bounds to signer;
grant select on reward_bounds to readonly;

revoke update on reward_days, reward_day_wallets from api;
grant update (spent) on reward_days, reward_day_wallets to api;

-- Sweeps ------------------------------------------------------------------------------------------

create index receipts_newest on receipts (credited_at desc) where asset = 'cotton' and state = 'credited';
create index sweeps_by_account on sweeps (token_account);

-- Ledger ------------------------------------------------------------------------------------------

-- Two sides that never mix: what stands against tokens (treasury, deposited, pool, held) and what was made by playing
-- (emission, earned, burned). A login that serves players cannot take out of what is held or burned, put anything
-- into the treasury, or turn the pool into somebody's deposit, whatever it claims to be doing.
create or replace function entries_must_balance() returns trigger language plpgsql as $$
begin
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
      or current_user = 'watcher' and bool_or(account not in ('treasury', 'deposited'))
  ) then
    raise exception 'this login may not make such a move';
  end if;
  return null;
end $$;
