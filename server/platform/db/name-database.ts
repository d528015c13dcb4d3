/**
 * SQL that names the database by the file of one of its tables. A database that has lost commits cannot share its name with
 * the one that lost them: its server started at another time, or a restore has written the table to another file. A standby
 * has the same files, and was started at its own time.
 */
export const databaseName = (table: string): string =>
  `jsonb_build_object('serverStarted', extract(epoch from pg_postmaster_start_time()),
    'file', pg_relation_filepath('${table}'))`
