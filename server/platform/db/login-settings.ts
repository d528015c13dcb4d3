import { escapeIdentifier, escapeLiteral, type Client } from 'pg'
import type { RoleName } from './roles.ts'

/** The longest time that a statement of a role may take. A longer statement is considered hung. */
export const STATEMENT_TIMEOUT_MS = 20_000

// Every statement of a role finds its rows by key, and these settings hold Postgres to that. By default it plans small
// batches again on every call, and it keeps scanning whole tables with a plan made while they were small.
const BY_KEY = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  enable_hashjoin: 'off',
  // Postgres 15 to 17 adds 1e10 to the estimated cost of a disabled step that a plan needs nevertheless, such as the scan of
  // a table of seven rows, and would compile such a plan at each execution, which takes longer than the statement.
  jit: 'off',
  // As Postgres shows a time below a minute: the setting in force is compared with this text.
  statement_timeout: `${STATEMENT_TIMEOUT_MS / 1_000}s`,
  // A process that is paused inside a transaction must not hold its locks.
  idle_in_transaction_session_timeout: '5s',
}

/**
 * What Postgres sets for each session of a login in the game's database. Connections do not ask for it themselves: a
 * pooler in transaction mode does not pass such requests on.
 */
const LOGIN_SETTINGS: Readonly<Record<RoleName, Readonly<Record<string, string>>>> = {
  api: BY_KEY,
  watcher: BY_KEY,
  signer: BY_KEY,
  console: BY_KEY,
  readonly: { default_transaction_read_only: 'on' },
}

/** The statements that give a login its settings in a database. */
export const settingStatements = (role: RoleName, database: string): string[] =>
  Object.entries(LOGIN_SETTINGS[role]).map(
    ([name, value]) =>
      `alter role ${role} in database ${escapeIdentifier(database)} set ${name} = ${escapeLiteral(value)}`,
  )

/** The settings that a login needs in this database and does not have there, as `name=value`. */
export async function findMissingSettings(client: Client, role: RoleName): Promise<string[]> {
  const { rows } = await client.query<{ setting: string }>(
    `select unnest(setconfig) as setting from pg_db_role_setting join pg_database d on d.oid = setdatabase
     where setrole = $1::text::regrole and datname = current_database()`,
    [role],
  )
  const existing = new Set(rows.map(({ setting }) => setting))
  return expectedSettings(role).filter((setting) => !existing.has(setting))
}

/** The settings of its login that are not in force in this session, as `name=value`. */
export async function findSettingsNotInForce(client: Client, role: RoleName): Promise<string[]> {
  const { rows } = await client.query<{ setting: string }>(
    `select name || '=' || current_setting(name) as setting from unnest($1::text[]) name`,
    [Object.keys(LOGIN_SETTINGS[role])],
  )
  const inForce = new Set(rows.map(({ setting }) => setting))
  return expectedSettings(role).filter((setting) => !inForce.has(setting))
}

const expectedSettings = (role: RoleName): string[] =>
  Object.entries(LOGIN_SETTINGS[role]).map(([name, value]) => `${name}=${value}`)

/** Changes the settings of its own login, which needs no right of the owner. `client` is a session of that login. */
export async function putOwnSettings(client: Client, role: RoleName): Promise<void> {
  const { rows } = await client.query<{ database: string }>('select current_database() as database')
  const statements = settingStatements(role, rows[0]?.database ?? '')
  // A login that only reads by default may still write on request.
  await client.query(['begin read write', ...statements, 'commit'].join('; '))
}
