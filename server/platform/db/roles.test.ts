import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startPostgres } from '#server/processes/postgres/postgres.ts'
import { runStatements } from '#tests/support/test-postgres.ts'
import { StartupError } from '../startup-error.ts'
import { migrate } from './migrate.ts'
import { readPasswords } from './roles.ts'

let secretsDir: string
beforeEach(() => {
  secretsDir = mkdtempSync(join(tmpdir(), 'secrets-'))
})
afterEach(() => rmSync(secretsDir, { recursive: true }))

test('a password comes from its setting, and one that is unset or empty from its file', () => {
  const passwords = readPasswords({ env: { DB_PASSWORD_API: 'given', DB_PASSWORD_SIGNER: '' }, secretsDir })
  expect(passwords.api).toBe('given')
  for (const made of [passwords.signer, passwords.watcher]) expect(made).toMatch(/^[\w-]{32}$/)
  expect(readPasswords({ env: {}, secretsDir })).toMatchObject({
    signer: passwords.signer,
    watcher: passwords.watcher,
  })
})

test('a secret that cannot be read is named with the remedy', () => {
  mkdirSync(join(secretsDir, 'database-api'))
  const read = () => readPasswords({ env: {}, secretsDir })
  expect(read).toThrow(StartupError)
  expect(read).toThrow(
    `${join(secretsDir, 'database-api')} cannot be read (EISDIR): it must be a file of the user that runs the game.`,
  )
})

test('an empty secret is no password, and is named with the remedy', () => {
  const path = join(secretsDir, 'database-api')
  writeFileSync(path, '\n')
  expect(() => readPasswords({ env: {}, secretsDir })).toThrow(
    new StartupError(`${path} is empty: put its content back, for example from a copy of the data folder.`),
  )
  rmSync(path)
  expect(readPasswords({ env: {}, secretsDir }).api).toMatch(/^[\w-]{32}$/)
})

test('a login that may not log in, or not connect, is named with the remedy', async () => {
  const settings = ['shared_buffers=16MB', 'max_wal_size=64MB', 'min_wal_size=32MB']
  const { url, stop } = await startPostgres({ dataDir: secretsDir, settings })
  try {
    await runStatements(url, `create role api password 'given'`)
    const passwords = readPasswords({ env: { DB_PASSWORD_API: 'given' }, secretsDir })
    const run = () => migrate({ url, passwords, ownCluster: false }).catch((error: unknown) => error)
    expect(await run()).toStrictEqual(
      new StartupError(
        'The database login "api" exists and cannot be used (role "api" is not permitted to log in): let it log in ("alter role api login", and pg_hba.conf), then start again.',
      ),
    )
    const database = new URL(url).pathname.slice(1)
    await runStatements(url, `alter role api login; revoke connect on database ${database} from public`)
    expect(await run()).toStrictEqual(
      new StartupError(
        `The database login "api" may not connect (permission denied for database "${database}"): "grant connect on database … to api, watcher, signer, console, readonly", then start again.`,
      ),
    )
  } finally {
    await stop()
  }
})
