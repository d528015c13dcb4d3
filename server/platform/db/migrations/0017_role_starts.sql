-- A role compares the schema with its own migrations before it starts.
grant select on schema_migrations to api, watcher, signer, readonly;
