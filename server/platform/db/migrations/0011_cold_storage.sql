-- Cold storage ------------------------------------------------------------------------------------

-- Tokens of the game in wallets whose keys are on no machine of it count in the reserve, too; which wallets they are
-- stands beside the sum, so that anybody can look.
alter table solvency
  add column cold bigint not null default 0 check (cold >= 0),
  add column cold_wallets text[] not null default '{}';
alter table solvency drop constraint solvency_check;
alter table solvency add constraint solvency_check check (
  surplus = treasury + cold + deposit_accounts + in_flight - (deposited + pool + held - credited_ahead)
);
