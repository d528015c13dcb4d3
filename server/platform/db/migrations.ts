import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../startup-error.ts'

export const MIGRATIONS = join(import.meta.dirname, 'migrations')

/** The names of this program's migrations, in order. */
export function migrationNames(dir = MIGRATIONS): string[] {
  return readdirSync(dir)
    .filter((name) => /^\d{4}_[a-z0-9_-]+\.sql$/.test(name))
    .toSorted()
}

/** Refuses a database with migrations that this program does not know: it cannot interpret the rows. */
export function assertKnownMigrations(applied: readonly string[], dir = MIGRATIONS): void {
  const known = new Set(migrationNames(dir))
  const unknown = applied.find((name) => !known.has(name))
  if (unknown === undefined) return
  throw new StartupError(
    `The database is newer than this program, which does not know its migration ${unknown}: start the program that made it, or restore a backup from before it.`,
  )
}
