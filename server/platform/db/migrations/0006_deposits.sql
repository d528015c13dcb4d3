-- Deposits that somebody has to look at -------------------------------------------------------------------

-- An address that is free is given out while the signer that made it is known to be about: a database that came back
-- from a backup may have forgotten whom it was given to since. A retired one is never given to anybody again.
alter table deposit_addresses add column retired_at timestamptz;
-- The chain's slot when it was given out; null where nobody could ask. What arrived before is not its player's.
alter table deposit_addresses add column assigned_slot bigint;
alter table deposit_addresses add check (wallet is null or retired_at is null);
create index deposit_addresses_free on deposit_addresses (index) where wallet is null and retired_at is null;
create index deposit_addresses_of_nobody on deposit_addresses (index) where wallet is null;

-- Null where it reached an address that is nobody's.
alter table receipts alter column wallet drop not null;
-- What a pending receipt waits for, or why an unclaimed one is not credited.
alter table receipts add column why text
  check (why in ('second_node', 'nodes_disagree', 'sol', 'other_token', 'before_yours', 'of_nobody', 'too_large'));
update receipts set why = asset where state = 'unclaimed';
alter table receipts add check ((state = 'unclaimed') <= (why is not null));
alter table receipts add check (wallet is not null or state = 'unclaimed');
create index receipts_unclaimed on receipts (seen_at desc) where state = 'unclaimed';

grant update (assigned_slot, retired_at) on deposit_addresses to api;
grant update (retired_at) on deposit_addresses to watcher, signer;
