import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../startup-error.ts'

export const MIGRATIONS = join(import.meta.dirname, 'migrations')

/** The migrations of this program, in their order. */
export function migrationNames(dir = MIGRATIONS): string[] {
  return readdirSync(dir)
    .filter((name) => /^\d{4}_[a-z0-9_-]+\.sql$/.test(name))
    .toSorted()
}

/** Refuses a database on which a newer program, or another one, has worked: nobody knows what its rows mean here. */
export function assertKnownMigrations(applied: readonly string[], dir = MIGRATIONS): void {
  const known = new Set(migrationNames(dir))
  const unknown = applied.find((name) => !known.has(name))
  if (unknown === undefined) return
  throw new StartupError(
    `The database is newer than this program, which does not know its migration ${unknown}: start the program that made it, or restore a backup from before it.`,
  )
}
