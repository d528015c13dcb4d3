import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { errorCode, StartupError } from '../startup-error.ts'
import { INSUFFICIENT_PRIVILEGE } from './error-codes.ts'
import { type RoleName, roleNames } from './roles.ts'

const inPublic = `'public'::regnamespace`

// By default everyone can call a new function. A dump without privileges loses the revocation.
const closedFunctions = `
  select format('revoke all on function %s from public;', oid::regprocedure) as line
  from pg_proc
  where pronamespace = ${inPublic} and proacl is not null
    and not exists (select from aclexplode(proacl) acl where acl.grantee = 0)
  order by proname, oid::regprocedure::text`

const granted = `
  with granted as (
    select 'table ' || quote_ident(relname) as thing, relname as place, acl.grantee, acl.privilege_type as may
    from pg_class, aclexplode(relacl) acl where relnamespace = ${inPublic}
    union all
    select 'table ' || quote_ident(relname), relname, acl.grantee, format('%s (%I)', acl.privilege_type, attname)
    from pg_class join pg_attribute on attrelid = pg_class.oid, aclexplode(attacl) acl where relnamespace = ${inPublic}
    union all
    select 'function ' || oid::regprocedure, proname, acl.grantee, acl.privilege_type
    from pg_proc, aclexplode(proacl) acl where pronamespace = ${inPublic}
    union all
    select 'schema ' || quote_ident(nspname), '', acl.grantee, acl.privilege_type
    from pg_namespace, aclexplode(nspacl) acl where nspname = 'public'
  )
  select format('grant %s on %s to %I;', lower(string_agg(may, ', ' order by may)), thing, rolname) as line
  from granted join pg_roles on pg_roles.oid = grantee
  where rolname = any ($1)
  group by thing, place, rolname order by place, thing, rolname`

/** The privileges of the game's logins in this database: one statement per line, in a fixed order. */
export async function readGrants(client: Client, roles: readonly RoleName[] = roleNames): Promise<string[]> {
  // Only names of other schemas are qualified then. In a transaction, because a pooler shares its sessions.
  await client.query('begin; set local search_path = public')
  try {
    const closed = await client.query<{ line: string }>(closedFunctions)
    const grants = await client.query<{ line: string }>(granted, [roles])
    return [...closed.rows, ...grants.rows].map(({ line }) => line)
  } finally {
    await client.query('commit')
  }
}

/** The expected privileges: the statements of schema.sql. A test compares that file with the migrations. */
function readExpectedGrants(): string[] {
  const schema = readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8')
  // They are the last section.
  const rights = schema.trimEnd().split('\n\n').at(-1) ?? ''
  return rights.split('\n')
}

/**
 * Grants privileges that the database lost, for example when a dump was restored on a server without the logins.
 * Additional privileges from the operator stay. Throws a `StartupError` if the login of `DATABASE_URL` may not grant
 * them.
 */
export async function restoreGrants(client: Client): Promise<void> {
  const missing = missingFrom(await readGrants(client), readExpectedGrants())
  if (missing.length === 0) return
  try {
    // Several statements in one query are one transaction.
    await client.query(missing.join('\n'))
  } catch (error) {
    if (errorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error
    throw new StartupError(
      `The login of DATABASE_URL may not give the roles their rights (${(error as Error).message}): it must own the tables.`,
    )
  }
}

/** The privileges that a role needs on this database and does not have. */
export async function findMissingGrants(client: Client, role: RoleName): Promise<string[]> {
  const expected = readExpectedGrants().filter((line) => line.endsWith(` to ${role};`))
  return missingFrom(await readGrants(client, [role]), expected)
}

/** The expected statements of which a privilege is missing. Those that the operator has added beside them do not matter. */
function missingFrom(existing: readonly string[], expected: readonly string[]): string[] {
  const granted = new Set(existing.flatMap(eachPrivilege))
  return expected.filter((line) => !eachPrivilege(line).every((privilege) => granted.has(privilege)))
}

/** One statement for each privilege of a statement. */
function eachPrivilege(line: string): string[] {
  const [, privileges, rest] = /^grant (.+) (on .+)$/.exec(line) ?? []
  return privileges === undefined ? [line] : privileges.split(', ').map((each) => `grant ${each} ${rest}`)
}
