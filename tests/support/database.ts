import { randomBytes } from 'node:crypto'
import { withDatabase } from '#server/processes/postgres/postgres.ts'
import { settingStatements } from '#server/platform/db/login-settings.ts'
import { type RoleName, roleNames, withLogin } from '#server/platform/db/roles.ts'
import { runStatements, passwordEnvironment, sharedPostgres } from './test-postgres.ts'

export interface FreshDatabase {
  /** Connects as the owner. Like the URLs of the logins it leads through PgBouncer in `npm run test:pooler`. */
  url: string
  /** Connects as the owner, and always has a session of its own. */
  directUrl: string
  /** The URL of one of the game's logins, which has the rights of its role only. */
  urlFor(role: RoleName): string
  directUrlFor(role: RoleName): string
  /** Environment of a child process: `DATABASE_URL` and the passwords of the logins. */
  environment: Record<string, string>
  /** Drops the database and closes its connections. */
  drop(): Promise<void>
}

/** A separate migrated database, copied from a template: one per test file (`beforeAll`), or per test. */
export async function freshDatabase(template?: string): Promise<FreshDatabase> {
  const shared = sharedPostgres()
  const name = `test_${randomBytes(6).toString('hex')}`
  await runStatements(
    shared.url,
    `create database ${name} template ${template ?? shared.template} strategy file_copy`,
    // A copy of a database has no settings of the logins.
    roleNames.flatMap((role) => settingStatements(role, name)).join('; '),
  )
  const directUrl = withDatabase(shared.url, name)
  const url = shared.poolerPort ? changePort(directUrl, shared.poolerPort) : directUrl
  return {
    url,
    directUrl,
    urlFor: (role) => withLogin(url, { name: role, password: shared.passwords[role] }),
    directUrlFor: (role) => withLogin(directUrl, { name: role, password: shared.passwords[role] }),
    environment: {
      DATABASE_URL: url,
      DATABASE_DIRECT_URL: directUrl,
      ...passwordEnvironment(shared.passwords),
    },
    drop: () => runStatements(shared.url, `drop database if exists ${name} with (force)`),
  }
}

const changePort = (url: string, port: number): string =>
  Object.assign(new URL(url), { port: String(port) }).href
