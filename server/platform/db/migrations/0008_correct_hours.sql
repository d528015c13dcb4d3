-- The watcher records an hour again that a clock that was ahead had recorded before it was over.
grant update on hourly_totals to watcher;
