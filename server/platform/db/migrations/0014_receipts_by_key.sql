-- Two reads of receipts, by key ----------------------------------------------------------------------

-- Each look at an address asks what is pending there. No index began with what it asks for, so it read all receipts of
-- the game along their key. Few are pending at any time.
create index receipts_pending on receipts (wallet) where state = 'pending';

-- Known foreign accounts are read in the order of their addresses, a thousand at a time. All that is unclaimed was read
-- and sorted for them; here each thousand stands side by side, with what the sum needs.
create index receipts_foreign on receipts (token_account, wallet) include (amount)
  where asset = 'other_token' and state = 'unclaimed' and wallet is not null;
