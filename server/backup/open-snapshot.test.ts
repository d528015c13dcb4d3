import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, vi } from 'vitest'
import { queryRows, runStatements } from '#tests/support/test-postgres.ts'
import { test } from '#tests/support/test-world.ts'
import { countRows } from './check-archive.ts'
import { withSnapshot } from './open-snapshot.ts'

// A column whose default differs in each row makes Postgres write the whole table anew.
const REWRITE = `set lock_timeout = '100ms'; alter table accounts add column note uuid default gen_random_uuid()`

test('a migration that writes a table anew waits for a backup, which would find the table empty', async ({
  world,
}) => {
  await world.player({ deposited: 5 })
  const accounts = await queryRows(world.directUrl, 'select from accounts')
  expect(accounts).not.toEqual([])
  const found = await withSnapshot(world.directUrl, async ({ tables, copyTable }) => {
    const outcome = await runStatements(world.directUrl, REWRITE).then(
      () => 'The table was written anew.',
      (error: unknown) => String(error),
    )
    let rows = 0
    for await (const chunk of copyTable(tables.find(({ name }) => name === 'accounts')!))
      rows += countRows(chunk)
    return { outcome, rows }
  })
  expect(found).toEqual({ outcome: expect.stringContaining('lock timeout'), rows: accounts.length })
})

test('timeouts that the operator has set for all sessions do not stop a backup', async ({ world }) => {
  const url = new URL(world.directUrl)
  url.searchParams.set('options', '-c statement_timeout=100 -c lock_timeout=100')
  const migration = new Client({ connectionString: world.directUrl })
  await migration.connect()
  await migration.query('begin; lock table accounts in access exclusive mode')
  const copying = withSnapshot(url.href, async () => 'copied').catch(String)
  await sleep(1_000)
  await migration.query('commit')
  expect(await copying).toBe('copied')
  await migration.end()
})

test('a backup, which waits without a limit, has the system ask a silent server whether it is still there', async ({
  world,
}) => {
  const asked = vi.spyOn(Socket.prototype, 'setKeepAlive')
  await withSnapshot(world.directUrl, async () => undefined)
  expect(asked.mock.calls).toEqual([[true, 10_000]])
})
