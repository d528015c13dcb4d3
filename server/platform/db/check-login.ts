import type { Client } from 'pg'
import { errorCode, StartupError } from '../startup-error.ts'
import { INSUFFICIENT_PRIVILEGE } from './error-codes.ts'
import { findMissingGrants } from './grants.ts'
import { findSettingsNotInForce } from './login-settings.ts'
import { assertKnownMigrations, migrationNames, readApplied } from './migrations.ts'
import type { RoleName } from './roles.ts'
import { assertSession } from './session.ts'
import { waitForDatabase, type WaitForDatabaseOptions } from './wait-for-database.ts'

type CheckLoginOptions = Omit<WaitForDatabaseOptions, 'applicationName'> & {
  role: RoleName
  /** Refuses a URL that leads to a pooler. */
  needsSession?: boolean
}

/**
 * Throws a `StartupError` if the database login is not the role's own, owns the tables or lacks rights or settings, or if
 * the schema has another version. The triggers that protect the ledger depend on the name of the login and do not apply
 * to the owner. Waits for an unavailable database.
 */
export async function checkLogin({ role, needsSession, ...of }: CheckLoginOptions): Promise<void> {
  const client = await waitForDatabase({ ...of, applicationName: `${role}-check` })
  try {
    if (needsSession) await assertSession(client)
    await assertOwnLogin(client, role)
    await assertSameSchema(client, role)
    const missing = await findMissingGrants(client, role)
    if (missing.length > 0) throw missingRights(role, `${missing.length} are missing, such as: ${missing[0]}`)
    const [setting] = await findSettingsNotInForce(client, role)
    if (setting !== undefined) throw missingSettings(role, setting)
  } finally {
    await client.end()
  }
}

const readLogin = `
  select current_user as login, exists (
    select from pg_class
    where relnamespace = 'public'::regnamespace and relname = 'entries' and pg_has_role(relowner, 'member')
  ) as owns`

async function assertOwnLogin(client: Client, role: RoleName): Promise<void> {
  const { rows } = await client.query<{ login: string; owns: boolean }>(readLogin)
  const { login = '', owns = false } = rows[0] ?? {}
  if (login !== role) {
    throw new StartupError(
      `The role ${role} needs the database login "${role}", and DATABASE_URL has "${login}": "npm run ops -- env ${role}" prints what it needs.`,
    )
  }
  if (owns) {
    throw new StartupError(
      `The database login "${role}" has the owner's rights too, which switches off what protects the ledger: take them away (superuser, or member of the owner).`,
    )
  }
}

async function assertSameSchema(client: Client, role: RoleName): Promise<void> {
  const applied = await readApplied(client).catch((error: unknown) => {
    if (errorCode(error) === INSUFFICIENT_PRIVILEGE) throw missingRights(role, (error as Error).message)
    throw error
  })
  if (applied === null) throw outdatedSchema('it has no tables of the game')
  assertKnownMigrations(applied)
  const missing = migrationNames().find((name) => !applied.includes(name))
  if (missing !== undefined) throw outdatedSchema(`${missing} is missing`)
}

const outdatedSchema = (what: string) =>
  new StartupError(
    `The database is older than this program (${what}): run "node server/main.ts migrate" with the owner's DATABASE_URL.`,
  )

const missingRights = (role: RoleName, what: string) =>
  new StartupError(
    `The database login "${role}" lacks rights that it needs (${what.replace(/[;.]$/, '')}): run "node server/main.ts migrate" with the owner's DATABASE_URL.`,
  )

const missingSettings = (role: RoleName, setting: string) =>
  new StartupError(
    `The database login "${role}" lacks settings that it needs (${setting}): run "node server/main.ts migrate" with the owner's DATABASE_URL.`,
  )
