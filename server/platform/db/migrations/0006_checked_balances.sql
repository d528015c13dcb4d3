-- How far the signer has compared the balances of a wallet with its entries, so that a check before a payout reads only what
-- is newer. Entries never change, and no version is given twice.
create table checked_balances (
  wallet text,
  class credit_class,
  version bigint not null check (version > 0),
  total bigint not null check (total >= 0),
  primary key (wallet, class)
);
grant select, insert, update on checked_balances to signer;
grant select on checked_balances to readonly;
