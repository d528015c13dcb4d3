-- Operators ---------------------------------------------------------------------------------------

-- What operators did and what they were refused. It never changes, for the owner of the database either.
create table operator_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  who text not null check (who <> ''),
  command text not null,
  arguments jsonb not null,
  reason text,
  outcome text not null
);
create trigger operator_log_append_only before update or delete or truncate on operator_log
  for each statement execute function history_is_append_only();

-- Who has let a withdrawal in review go. The signer counts them; only the owner writes them.
create table approvals (
  withdrawal_id uuid not null,
  who text not null check (who <> ''),
  at timestamptz not null,
  primary key (withdrawal_id, who)
);
create trigger approvals_append_only before update or delete or truncate on approvals
  for each statement execute function history_is_append_only();

grant select on approvals to signer, readonly;
grant select on operator_log to readonly;
