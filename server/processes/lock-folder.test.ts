import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { StartupError } from '#server/platform/startup-error.ts'
import { makeDataDir } from '#tests/support/run-server.ts'
import { lockFolder } from './lock-folder.ts'

const { dataDir, remove } = makeDataDir()
afterAll(remove)

const isRoot = process.getuid?.() === 0
const NOBODY = 65_534

test('a lock whose file cannot be opened is named', () => {
  // A folder in its place fails like a file of another user, also for root.
  const path = join(dataDir, 'other.lock')
  mkdirSync(path)
  expect(() => lockFolder(dataDir, { name: 'other', lockedMessage: '', waitMs: 0 })).toThrow(
    new StartupError(`${path} cannot be opened: it must be a file of the user that runs the game.`),
  )
})

test('a lock whose file this user may only read is named, because two processes would have it', () => {
  const path = join(dataDir, 'read.lock')
  writeFileSync(path, '', { mode: 0o444 })
  const script = `
    import { lockFolder } from ${JSON.stringify(join(import.meta.dirname, 'lock-folder.ts'))}
    lockFolder(${JSON.stringify(dataDir)}, { name: 'read', lockedMessage: 'locked', waitMs: 0 })`
  // Root may write every file until it gives up its capabilities.
  const user = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []
  const [program = '', ...args] = [...user, process.execPath, '--input-type=module', '--eval', script]
  const { stderr } = spawnSync(program, args, { encoding: 'utf8' })
  expect(stderr).toContain(`${path} cannot be opened: it must be a file of the user that runs the game.`)
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
