import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { StartupError } from '../startup-error.ts'

export const MIGRATIONS = join(import.meta.dirname, 'migrations')

/** The names of this program's migrations, in order. */
export function migrationNames(dir = MIGRATIONS): string[] {
  return readdirSync(dir)
    .filter((name) => /^\d{4}_[a-z0-9_-]+\.sql$/.test(name))
    .toSorted()
}

/** The names of the migrations that are applied to a database, in order; null if the game has no tables there. */
export async function readApplied(client: Client): Promise<string[] | null> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('schema_migrations') is not null as found`,
  )
  if (!tables[0]?.found) return null
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name')
  return rows.map(({ name }) => name)
}

/** The first applied migration that this program does not have; undefined if it knows all. */
export function findUnknownMigration(applied: readonly string[], dir = MIGRATIONS): string | undefined {
  const known = new Set(migrationNames(dir))
  return applied.find((name) => !known.has(name))
}

/** Refuses a database with migrations that this program does not know: it cannot interpret the rows. */
export function assertKnownMigrations(applied: readonly string[], dir = MIGRATIONS): void {
  const unknown = findUnknownMigration(applied, dir)
  if (unknown === undefined) return
  throw new StartupError(
    `The database is newer than this program, which does not know its migration ${unknown}: start the program that made it, or restore a backup from before it.`,
  )
}
