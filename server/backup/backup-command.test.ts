import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { hasFailedSince } from '#server/platform/backup-settings.ts'
import { readConfig } from '#server/platform/config.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { lockFolder } from '#server/processes/lock-folder.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { runBackup } from './backup-command.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cotton-farm-command-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const stopping = () => new AbortController()

/** Runs `ops backup` with these words, and returns its output. */
async function backUp(
  world: TestWorld,
  words: string[],
  { backupDir = join(dir, 'backups'), recipient = '', signal = stopping().signal } = {},
): Promise<string[]> {
  const settings = {
    DATABASE_URL: world.directUrl,
    DATA_DIR: join(dir, 'data'),
    BACKUP_DIR: backupDir,
    BACKUP_KEEP: '2',
    BACKUP_RECIPIENT: recipient,
  }
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const context = { config: readConfig(settings), clock: world.clock, say, onProgress: () => {}, signal }
  await runBackup(context, { positionals: words, options: {}, flags: new Set() })
  return lines
}

const readRow = (world: TestWorld, name: string) =>
  runQuery<{ value: Record<string, unknown>; at: Date }>(
    world.db,
    'select value, at from settings where name = $1',
    [name],
  )

test('backups by schedule are recorded, and only the newest stay', async ({ world }) => {
  for (let made = 0; made < 3; made++) {
    world.clock.advance(3_600_000)
    await backUp(world, [])
  }
  const names = readdirSync(join(dir, 'backups'))
  expect(names).toEqual([expect.stringContaining('T140000Z'), expect.stringContaining('T150000Z')])
  expect(await readRow(world, 'last_backup')).toEqual([
    {
      value: { at: expect.any(String), bytes: expect.any(Number), took_ms: expect.any(Number) },
      at: world.clock.now(),
    },
  ])
  expect(await readRow(world, 'last_backup_failure')).toEqual([])
})

test('a failed backup by schedule is recorded; a stopped one, and one that a person named, are not', async ({
  world,
}) => {
  const { signal } = { signal: AbortSignal.abort() }
  await expect(backUp(world, [], { signal })).rejects.toThrow('Stopped. No backup was made.')
  await expect(backUp(world, [join(dir, 'no/where')])).rejects.toThrow(StartupError)
  expect(await readRow(world, 'last_backup_failure')).toEqual([])
  writeFileSync(join(dir, 'file'), '')
  await expect(backUp(world, [], { backupDir: join(dir, 'file/x') })).rejects.toThrow(
    /of BACKUP_DIR cannot be made/,
  )
  const [failure] = await readRow(world, 'last_backup_failure')
  expect(failure?.value).toMatchObject({
    at: world.clock.now().toISOString(),
    reason: expect.stringContaining('BACKUP_DIR'),
  })
  await expect(backUp(world, [], { backupDir: '' })).rejects.toThrow(
    /^Name a file or a folder for the backup/,
  )
})

test('a recipient with a wrong character is recorded as the reason why no backup is made', async ({
  world,
}) => {
  const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8q'
  await expect(backUp(world, [], { recipient })).rejects.toThrow(/^BACKUP_RECIPIENT is no public key of age/)
  expect(await readRow(world, 'last_backup_failure')).toMatchObject([
    { value: { reason: expect.stringContaining('BACKUP_RECIPIENT') } },
  ])
})

test('a lock that cannot be opened is recorded as the reason of a failure, and another backup is not', async ({
  world,
}) => {
  const dataDir = join(dir, 'data')
  const failedAt = world.clock.now().toISOString()
  mkdirSync(join(dataDir, 'backup.lock'), { recursive: true })
  await expect(backUp(world, [])).rejects.toThrow(StartupError)
  const reason: unknown = expect.stringContaining('backup.lock cannot be opened')
  const recorded = [{ value: { at: failedAt, reason } }]
  expect(await readRow(world, 'last_backup_failure')).toMatchObject(recorded)
  rmSync(dataDir, { recursive: true })
  mkdirSync(dataDir)
  const unlock = lockFolder(dataDir, { name: 'backup', lockedMessage: '', waitMs: 0 })
  world.clock.advance(3_600_000)
  await expect(backUp(world, [])).rejects.toThrow('Another backup is being made: wait until it is done.')
  expect(await readRow(world, 'last_backup_failure')).toMatchObject(recorded)
  unlock()
})

test('a backup removes the failure before it, whose time is by another clock', async ({ world }) => {
  writeFileSync(join(dir, 'file'), '')
  await expect(backUp(world, [], { backupDir: join(dir, 'file/x') })).rejects.toThrow(StartupError)
  expect(await readRow(world, 'last_backup_failure')).toHaveLength(1)
  await backUp(world, [])
  expect(await readRow(world, 'last_backup_failure')).toEqual([])
})

test('a backup that fails after a clock was set back has failed since the last one', async ({ world }) => {
  await backUp(world, [])
  const later = '2100-01-01T00:00:00.000Z'
  await runQuery(
    world.db,
    `update settings set value = jsonb_set(value, '{at}', to_jsonb($1::text)) where name = 'last_backup'`,
    [later],
  )
  writeFileSync(join(dir, 'file'), '')
  await expect(backUp(world, [], { backupDir: join(dir, 'file/x') })).rejects.toThrow(StartupError)
  const [failure] = await readRow(world, 'last_backup_failure')
  const value = failure!.value as { at: string }
  expect(hasFailedSince(value, { at: later })).toBe(true)
  // As of a version that does not remove the failure.
  expect(hasFailedSince(value, { at: '2100-01-02T00:00:00.000Z' })).toBe(false)
})
