import { type Queryable, sql } from '#server/platform/db/db.ts'

const write = sql({
  name: 'backup-record',
  params: { name: 'text', value: 'jsonb', at: 'timestamptz' },
  text: ({ name, value, at }) => `insert into settings (name, value, at) values (${name}, ${value}, ${at})
    on conflict (name) do update set value = excluded.value, at = excluded.at`,
})

/** The last good backup. `at` is the moment of its data. */
type LastBackup = { at: string; bytes: number; took_ms: number }
/** `backup_at` is null for a backup that cannot be read. */
type LastDrill = {
  at: string
  ok: boolean
  backup_at: string | null
  took_ms: number
  problems: readonly string[]
}

/** The metrics read these rows of the table `settings`. */
export const recordBackup = (db: Queryable, now: Date, value: LastBackup) =>
  db.rows(write, { name: 'last_backup', value, at: now })

export const recordBackupFailure = (db: Queryable, now: Date, reason: string) =>
  db.rows(write, { name: 'last_backup_failure', value: { at: now.toISOString(), reason }, at: now })

export const recordDrill = (db: Queryable, now: Date, value: LastDrill) =>
  db.rows(write, { name: 'last_drill', value, at: now })
