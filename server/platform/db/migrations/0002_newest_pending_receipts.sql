-- The console polls the newest pending receipt and lists them by time. A chain that does not finalize leaves many pending.
-- Only a statement with the same condition on the time uses this index: reads by wallet must not.
create index receipts_pending_newest on receipts (seen_at desc) where state = 'pending' and seen_at > '-infinity';
