import { type Queryable, sql } from '#server/platform/db/db.ts'

const write = sql({
  name: 'backup-record',
  params: { name: 'text', value: 'jsonb', at: 'timestamptz' },
  text: ({ name, value, at }) => `insert into settings (name, value, at) values (${name}, ${value}, ${at})
    on conflict (name) do update set value = excluded.value, at = excluded.at`,
})

// `after` is the moment of the last good backup. It says that none was made since, whatever their clocks have shown.
const writeFailure = sql({
  name: 'backup-record-failure',
  params: { value: 'jsonb', at: 'timestamptz' },
  text: ({ value, at }) => `insert into settings (name, value, at) values ('last_backup_failure', ${value}
      || jsonb_build_object('after', (select last.value -> 'at' from settings last where last.name = 'last_backup')), ${at})
    on conflict (name) do update set value = excluded.value, at = excluded.at`,
})

const forgetFailure = sql({
  name: 'backup-forget-failure',
  text: `delete from settings where name = 'last_backup_failure'`,
})

/** The last good backup. `at` is the moment of its data. */
type LastBackup = { at: string; bytes: number; took_ms: number }
/**
 * `ok` if the drill has passed. `backup_ok` if the backup has no errors: only the comparison with the chain has failed then.
 * `backup_at` is null for a backup that cannot be read.
 */
type LastDrill = {
  at: string
  ok: boolean
  backup_ok: boolean
  backup_at: string | null
  took_ms: number
  problems: readonly string[]
}

/**
 * Records a backup and removes the failure before it. Their times do not say which was first: the moment of the data is by the
 * clock of the database, and any clock may be set back. The metrics read these rows of the table `settings`.
 */
export async function recordBackup(db: Queryable, now: Date, value: LastBackup): Promise<void> {
  await db.rows(write, { name: 'last_backup', value, at: now })
  await db.rows(forgetFailure)
}

export const recordBackupFailure = (db: Queryable, now: Date, reason: string) =>
  db.rows(writeFailure, { value: { at: now.toISOString(), reason }, at: now })

export const recordDrill = (db: Queryable, now: Date, value: LastDrill) =>
  db.rows(write, { name: 'last_drill', value, at: now })
