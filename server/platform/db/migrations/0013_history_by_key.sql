-- A page of history, read by key --------------------------------------------------------------------

-- The key of an entry carries what a page of a player's history adds up. So the page is read at one place of the index
-- and not on a page of the table for each move, which lie as far apart as the moves were in time. The key is as it was.
set local maintenance_work_mem = '256MB';
alter table entries drop constraint entries_pkey;
alter table entries add primary key (wallet, journal_id, line) include (amount, version);

-- An index answers by itself only for the pages that a vacuum has seen, and a player looks at the newest moves: of what
-- is only ever added to, a vacuum looks at the new pages alone, so it may come after every fiftieth part.
alter table entries set (autovacuum_vacuum_insert_scale_factor = 0.02);
