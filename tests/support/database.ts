import { randomBytes } from 'node:crypto'
import { withDatabase } from '#server/processes/postgres/postgres.ts'
import { settingStatements } from '#server/platform/db/login-settings.ts'
import { roleNames, withLogin } from '#server/platform/db/roles.ts'
import type { RoleName } from '#server/platform/db/roles.ts'
import { runStatement, passwordEnvironment, sharedPostgres } from './test-postgres.ts'

export interface FreshDatabase {
  /** Connects as the owner. */
  url: string
  /** The URL of one of the game's logins, which has the rights of its role only. */
  urlFor(role: RoleName): string
  /** Environment of a child process: `DATABASE_URL` and the passwords of the logins. */
  environment: Record<string, string>
  /** Drops the database and closes its connections. */
  drop(): Promise<void>
}

/** A separate migrated database, copied from a template: one per test file (`beforeAll`), or per test. */
export async function freshDatabase(template?: string): Promise<FreshDatabase> {
  const shared = sharedPostgres()
  const name = `test_${randomBytes(6).toString('hex')}`
  await runStatement(
    shared.url,
    `create database ${name} template ${template ?? shared.template} strategy file_copy`,
  )
  // A copy of a database has no settings of the logins.
  const settings = roleNames.flatMap((role) => settingStatements(role, name))
  await runStatement(shared.url, settings.join('; '))
  const url = withDatabase(shared.url, name)
  return {
    url,
    urlFor: (role) => withLogin(url, { name: role, password: shared.passwords[role] }),
    environment: { DATABASE_URL: url, ...passwordEnvironment(shared.passwords) },
    drop: () => runStatement(shared.url, `drop database if exists ${name} with (force)`),
  }
}
