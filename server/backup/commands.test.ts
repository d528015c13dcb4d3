import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { waitFor } from '#tests/support/run-server.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { takeBackup } from './take-backup.ts'

const MAIN = join(import.meta.dirname, '../main.ts')

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cotton-farm-commands-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

/** Makes a backup and starts to restore it into the folder `new`. */
async function startRestore(world: TestWorld, release = '0.1.0'): Promise<ChildProcess> {
  const file = join(dir, 'a.tar.zst')
  const onProgress = () => {}
  await takeBackup({ url: world.directUrl, dataDir: dir, file, recipient: '', release, onProgress })
  const env = { ...process.env, DATA_DIR: dir, DATABASE_URL: '', DATABASE_DIRECT_URL: '' }
  const args = [MAIN, 'ops', 'restore', file, '--into', join(dir, 'new')]
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

test('a restore whose terminal is closed, with more than one signal, leaves nothing', async ({ world }) => {
  const restoring = await startRestore(world)
  const ended = once(restoring, 'exit')
  await waitFor('its folder', () => readdirSync(dir).some((name) => name.startsWith('.new-restoring-')))
  // Until it ends, because some of them come while it removes what it has made.
  const closing = setInterval(() => restoring.kill('SIGHUP'), 5)
  expect(await ended).toEqual([1, null])
  clearInterval(closing)
  expect(readdirSync(dir)).toEqual(['a.tar.zst'])
})

test('a restore goes on when nobody reads what it prints', { tags: 'variant' }, async ({ world }) => {
  const restoring = await startRestore(world)
  const ended = once(restoring, 'exit')
  restoring.stdout?.destroy()
  restoring.stderr?.destroy()
  expect(await ended).toEqual([0, null])
  expect(readdirSync(dir).toSorted()).toEqual(['a.tar.zst', 'new'])
})

test('a restore prints no codes for a terminal that a backup contains', async ({ world }) => {
  const restoring = await startRestore(world, '0.1.0\u001b[2J\u202e')
  let printed = ''
  restoring.stdout?.on('data', (chunk) => (printed += String(chunk)))
  expect(await once(restoring, 'close')).toEqual([0, null])
  expect(printed).toContain(String.raw`made by release 0.1.0\u001b[2J\u202e.`)
})
