import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { StartupError } from '#server/platform/startup-error.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { freshDatabase, type FreshDatabase } from '#tests/support/database.ts'
import { runStatements } from '#tests/support/test-postgres.ts'
import { checkLogin } from './check-login.ts'
import { dumpSchema } from './dump-schema.ts'
import { migrate } from './migrate.ts'
import { readPasswords, type RoleName, roleNames } from './roles.ts'

const secretsDir = mkdtempSync(join(tmpdir(), 'secrets-'))
const running = ['api', 'watcher', 'signer', 'console'] as const
let database: FreshDatabase

beforeEach(async () => {
  database = await freshDatabase()
})

afterEach(() => database.drop())

afterAll(() => rmSync(secretsDir, { recursive: true }))

const check = (role: RoleName, url = database.urlFor(role)) => checkLogin({ role, url, waitMs: 0 })

/** The error message of a refused start. */
async function refusalOf(role: RoleName, url?: string): Promise<string> {
  const error: unknown = await check(role, url).catch((problem: unknown) => problem)
  expect(error).toBeInstanceOf(StartupError)
  return (error as StartupError).message
}

const migrated = () =>
  migrate({
    url: database.directUrl,
    passwords: readPasswords({ env: database.environment, secretsDir }),
    ownCluster: false,
  })

/** The state after restoring a dump without privileges, or on a server without the logins. */
async function loseRights(): Promise<void> {
  const logins = roleNames.join(', ')
  for (const what of ['tables', 'functions'])
    await runStatements(database.url, `revoke all on all ${what} in schema public from ${logins}`)
  await runStatements(database.url, `revoke all on schema public from ${logins}`)
  await runStatements(database.url, 'grant execute on all functions in schema public to public')
}

test('a role starts on its own database login and on no other', async () => {
  for (const role of running) await check(role)
  expect(await refusalOf('api', database.url)).toBe(
    'The role api needs the database login "api", and DATABASE_URL has "owner": "npm run ops -- env api" prints what it needs.',
  )
  expect(await refusalOf('watcher', database.urlFor('signer'))).toMatch(
    /^The role watcher needs .* has "signer"/,
  )
})

test("a login of the right name with the owner's rights is refused", async () => {
  // Logins belong to the whole server. Here another owner takes the one table of this database.
  const owner = `owner_${database.url.split('_').at(-1)}`
  await runStatements(database.url, `create role ${owner}; alter table entries owner to ${owner}`)
  await runStatements(database.url, `grant ${owner} to watcher`)
  try {
    expect(await refusalOf('watcher')).toMatch(/^The database login "watcher" has the owner's rights too/)
  } finally {
    await runStatements(database.url, `alter table entries owner to owner; drop role ${owner}`)
  }
  await check('watcher')
})

test('each role reports privileges that a restored dump has lost, and migrate grants them again', async () => {
  const whole = await dumpSchema(database.url)
  await loseRights()
  for (const role of running) {
    expect(await refusalOf(role)).toMatch(
      new RegExp(`^The database login "${role}" lacks rights .* run "node server/main.ts migrate"`),
    )
  }
  expect(await migrated()).toEqual([])
  for (const role of running) await check(role)
  expect(await dumpSchema(database.url)).toBe(whole)
})

test('a single lost privilege is reported, and additional privileges stay', async () => {
  await runStatements(database.url, 'revoke insert on workers from api; grant select on nonces to readonly')
  expect(await refusalOf('api')).toContain('1 are missing, such as: grant insert, select')
  await migrated()
  await check('api')
  expect(await dumpSchema(database.url)).toContain('grant select on table nonces to readonly;')
})

test('a privilege beside those of a role neither stops it nor hides a lost one', async () => {
  const added = 'grant update on credit_totals to watcher; grant select on users to watcher'
  await runStatements(database.url, added)
  await check('watcher')
  await runStatements(database.url, 'revoke select on credit_totals from watcher')
  expect(await refusalOf('watcher')).toContain(
    '1 are missing, such as: grant select on table credit_totals to ',
  )
  await migrated()
  await check('watcher')
  expect(await dumpSchema(database.url)).toContain('grant select, update on table credit_totals to watcher;')
})

test('a schema that is newer than the program is refused by migrate and by every role', async () => {
  await runStatements(
    database.url,
    `insert into schema_migrations (name, checksum) values ('9999_from_tomorrow.sql', '')`,
  )
  const sentence =
    'The database is newer than this program, which does not know its migration 9999_from_tomorrow.sql: start the program that made it, or restore a backup from before it.'
  for (const role of running) expect(await refusalOf(role)).toBe(sentence)
  await expect(migrated()).rejects.toThrow(sentence)
})

test('an older or missing schema asks for migrate', async () => {
  await runStatements(database.url, `delete from schema_migrations where name like '0001%'`)
  expect(await refusalOf('signer')).toMatch(
    /^The database is older than this program \(0001_\w+\.sql is missing\)/,
  )
  await runStatements(database.url, 'drop table schema_migrations')
  expect(await refusalOf('signer')).toMatch(
    /^The database is older than this program .* run "node server\/main/,
  )
})

test('a wrong password and a missing database are one sentence each, without the password', async () => {
  const wrong = new URL(database.urlFor('api'))
  wrong.password = 'guessed'
  expect(await refusalOf('api', wrong.href)).toMatch(/^The database of DATABASE_URL refuses the login "api"/)
  expect(await refusalOf('api', wrong.href)).not.toContain('guessed')
  const gone = new URL(database.urlFor('api'))
  gone.pathname = '/nowhere'
  expect(await refusalOf('api', gone.href)).toMatch(/has no database "nowhere": create it, then run/)
})

test('the start waits for an unavailable database, up to the limit', async () => {
  const url = new URL(database.urlFor('api'))
  const realPort = Number(url.port)
  const port = await findFreePort()
  url.port = String(port)
  expect(await refusalOf('api', url.href)).toMatch(
    /^The database of DATABASE_URL cannot be reached: .*ECONNREFUSED/,
  )

  const waits: string[] = []
  const starting = checkLogin({
    role: 'api',
    url: url.href,
    waitMs: 50_000,
    onWait: (reason) => waits.push(reason),
  })
  await expect.poll(() => waits.length).toBe(1)
  const proxy = await listen(passOn(realPort), port)
  await starting
  proxy.close()
  expect(waits[0]).toContain('ECONNREFUSED')

  await expect(checkLogin({ role: 'api', url: url.href, waitMs: 700 })).rejects.toThrow(
    /cannot be reached: .*ECONNREFUSED.* The wait lasted 1 s \(DATABASE_WAIT_SECONDS\)\.$/,
  )
  const stop = new AbortController()
  const ended = checkLogin({ role: 'api', url: url.href, waitMs: 50_000, signal: stop.signal })
  stop.abort()
  await expect(ended).rejects.toBeInstanceOf(StartupError)
})

function listen(server: Server, port: number): Promise<Server> {
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)))
}

/** Forwards connections to another local port. */
function passOn(port: number): Server {
  return createServer((socket) => {
    const target = connect(port, '127.0.0.1')
    for (const each of [socket, target]) each.on('error', () => undefined)
    socket.pipe(target).pipe(socket)
  })
}
