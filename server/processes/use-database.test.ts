import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { lockFolder } from './lock-folder.ts'
import { useDatabase } from './use-database.ts'

const { dataDir, remove } = makeDataDir()
afterAll(remove)

test('a command beside a game whose database it does not find says how to name it', async () => {
  const unlock = lockFolder(dataDir, { name: 'server', lockedMessage: '', waitMs: 0 })
  const using = useDatabase(readConfig({ DATA_DIR: dataDir }), async () => 'used')
  await expect(using).rejects.toThrow(
    `A game runs on ${dataDir}, and its database is not there: set DATABASE_URL as that game has it, or wait until it has started.`,
  )
  unlock()
})

test('a lock whose file cannot be opened is named', () => {
  // A folder in its place fails like a file of another user, also for root.
  const path = join(dataDir, 'other.lock')
  mkdirSync(path)
  expect(() => lockFolder(dataDir, { name: 'other', lockedMessage: '', waitMs: 0 })).toThrow(
    new StartupError(`${path} cannot be opened: it must be a file of the user that runs the game.`),
  )
})

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

/** The error of `work`, which the user `nobody` does where this one is root. Root may write every file. */
function failureWithoutRoot(work: () => void): unknown {
  try {
    if (isRoot) process.seteuid?.(NOBODY)
    work()
    return null
  } catch (error) {
    return error
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

test('a lock whose file may only be read is named, because several processes would get it', () => {
  const path = join(dataDir, 'left.lock')
  writeFileSync(path, '', { mode: 0o444 })
  chmodSync(dataDir, 0o755)
  const failure = failureWithoutRoot(() =>
    lockFolder(dataDir, { name: 'left', lockedMessage: 'locked', waitMs: 0 }),
  )
  expect(failure).toEqual(
    new StartupError(`${path} cannot be opened: it must be a file of the user that runs the game.`),
  )
})

test.runIf(isRoot)(
  'a lock that root creates belongs to the owner of the folder, who could not lock it otherwise',
  () => {
    const path = join(dataDir, 'of-nobody')
    mkdirSync(path)
    chownSync(path, NOBODY, NOBODY)
    lockFolder(path, { name: 'new', lockedMessage: 'locked', waitMs: 0 })()
    expect(statSync(join(path, 'new.lock')).uid).toBe(NOBODY)
  },
)
