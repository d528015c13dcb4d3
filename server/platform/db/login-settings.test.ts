import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { runStatements } from '#tests/support/test-postgres.ts'
import { checkLogin } from './check-login.ts'
import { openDb, rowOf, sql } from './db.ts'
import { findMissingSettings } from './login-settings.ts'
import { migrate } from './migrate.ts'
import { readPasswords, type RoleName, roleNames } from './roles.ts'

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const readSettings = sql({
  name: 'test-login-settings',
  row: rowOf<Record<string, string>>(),
  text: `select current_setting('plan_cache_mode') as plans, current_setting('enable_seqscan') as seqscan,
      current_setting('statement_timeout') as statement, current_setting('default_transaction_read_only') as reads,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('jit') as jit`,
})

const settingsOf = async (role: RoleName) => {
  const db = openDb(database.urlFor(role), { max: 1, applicationName: 'test' })
  return db.rows(readSettings).finally(() => db.end())
}

const BY_KEY = {
  plans: 'force_generic_plan',
  seqscan: 'off',
  statement: '20s',
  reads: 'off',
  idle: '5s',
  // A server without a compiler has the setting, too, and it is on.
  jit: 'off',
}

test('the settings of each login are in force in its sessions', async () => {
  for (const role of ['api', 'watcher', 'signer', 'console'] as const)
    expect(await settingsOf(role)).toEqual([BY_KEY])
  expect(await settingsOf('readonly')).toMatchObject([{ plans: 'auto', seqscan: 'on', reads: 'on' }])
})

test('a role refuses a login without its settings, and migrate restores them', async () => {
  const { pathname } = new URL(database.directUrl)
  for (const role of roleNames)
    await runStatements(database.directUrl, `alter role ${role} in database ${pathname.slice(1)} reset all`)
  const passwords = readPasswords({ env: database.environment, secretsDir: '' })
  // A pooler would hand out a session from before.
  const check = () => checkLogin({ role: 'api', url: database.directUrlFor('api'), waitMs: 0 })
  await expect(check()).rejects.toThrow(
    'The database login "api" lacks settings that it needs (plan_cache_mode=force_generic_plan): run "node server/main.ts migrate" with the owner\'s DATABASE_URL.',
  )
  await migrate({ url: database.directUrl, passwords, ownCluster: false })
  await check()
  const client = new Client({ connectionString: database.directUrl })
  await client.connect()
  for (const role of roleNames) expect(await findMissingSettings(client, role), role).toEqual([])
  await client.end()
})
