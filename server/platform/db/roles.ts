import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { readOrMakeSecret } from '../secrets.ts'
import { errorCode, StartupError } from '../startup-error.ts'
import { createClient } from './connect-to-primary.ts'
import { changeDatabaseUrl } from './database-url.ts'
import {
  INSUFFICIENT_PRIVILEGE,
  INVALID_AUTHORIZATION,
  INVALID_PASSWORD,
  UNIQUE_VIOLATION,
} from './error-codes.ts'

/** The database logins of the game. The migrations grant their privileges. */
export const roleNames = ['api', 'watcher', 'signer', 'console', 'readonly'] as const
export type RoleName = (typeof roleNames)[number]
export type RolePasswords = Record<RoleName, string>

/** The setting with a role's password: `DB_PASSWORD_API`, … */
export const passwordSetting = (role: RoleName): string => `DB_PASSWORD_${role.toUpperCase()}`

interface PasswordSources {
  env: NodeJS.ProcessEnv
  secretsDir: string
}

/** Each role's password, from the environment or from its file. The first call creates the file. */
export function readPasswords({ env, secretsDir }: PasswordSources): RolePasswords {
  const read = (role: RoleName) =>
    env[passwordSetting(role)] || readOrMakeSecret(secretsDir, `database-${role}`)
  return {
    api: read('api'),
    watcher: read('watcher'),
    signer: read('signer'),
    console: read('console'),
    readonly: read('readonly'),
  }
}

/** The URL with another login. The setter of a URL leaves a percent sign as it is, which would begin another character. */
export function withLogin(url: string, { name, password }: { name: string; password: string }): string {
  return changeDatabaseUrl(url, (parsed) =>
    Object.assign(parsed, { username: name, password: encodeURIComponent(password) }),
  )
}

interface RoleOptions {
  url: string
  passwords: RolePasswords
  /** True if the cluster serves this game only. A lost password is replaced then. */
  ownCluster: boolean
}

/**
 * Creates missing logins. Logins belong to the whole cluster. On a shared cluster a wrong password throws a
 * `StartupError`, because replacing it would lock out another instance.
 */
export async function makeRoles(client: Client, { url, passwords, ownCluster }: RoleOptions): Promise<void> {
  for (const name of roleNames) {
    const password = passwords[name]
    if (await roleExists(client, name)) {
      if (await canLogIn(url, { name, password })) continue
      if (!ownCluster) {
        throw new StartupError(
          `The database already has a login "${name}" with another password: set ${passwordSetting(name)} to it.`,
        )
      }
      await client.query(`alter role ${name} password '${scramVerifier(password)}'`)
    } else {
      await makeRole(client, { name, password })
    }
  }
}

async function roleExists(client: Client, name: RoleName): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name])
  return rowCount === 1
}

async function makeRole(
  client: Client,
  { name, password }: { name: RoleName; password: string },
): Promise<void> {
  try {
    await client.query(`create role ${name} login password '${scramVerifier(password)}'`)
  } catch (error) {
    // Another process on the same cluster was first. The next start checks its password.
    if (errorCode(error) === DUPLICATE_OBJECT || errorCode(error) === UNIQUE_VIOLATION) return
    if (errorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error
    throw new StartupError(
      `The login of DATABASE_URL may not create the login "${name}": grant it CREATEROLE, or create ${roleNames.join(', ')} and set ${passwordSetting(name)} and its like.`,
    )
  }
}

const DUPLICATE_OBJECT = '42710'

/** False if the password is wrong. */
async function canLogIn(url: string, login: { name: RoleName; password: string }): Promise<boolean> {
  const client = createClient(withLogin(url, login), { connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    return true
  } catch (error) {
    if (errorCode(error) === INVALID_PASSWORD) return false
    // Where the operator has revoked what everybody may by default.
    if (errorCode(error) === INSUFFICIENT_PRIVILEGE)
      throw new StartupError(
        `The database login "${login.name}" may not connect (${(error as Error).message}): "grant connect on database … to ${roleNames.join(', ')}", then start again.`,
      )
    if (errorCode(error) !== INVALID_AUTHORIZATION) throw error
    throw new StartupError(
      `The database login "${login.name}" exists and cannot be used (${(error as Error).message}): let it log in ("alter role ${login.name} login", and pg_hba.conf), then start again.`,
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The SCRAM verifier that Postgres stores (RFC 5803). Computed here, so that no server log contains the password. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const iterations = 4096
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const key = (label: string) => createHmac('sha256', salted).update(label).digest()
  const stored = createHash('sha256').update(key('Client Key')).digest('base64')
  const server = key('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`
}
