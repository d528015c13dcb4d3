import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const dir = mkdtempSync(join(tmpdir(), 'log-'))
afterAll(() => rmSync(dir, { recursive: true }))

/** A file of Linux that takes nothing, like one on a full disk. */
const FULL = '/dev/full'

// A file that is opened gets the lowest free number, which is that of standard error once it is closed.
const PROGRAM = `
  import { closeSync, openSync } from 'node:fs'
  import { makeLog } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)}
  const log = makeLog({ role: 'api', level: 'warn' })
  log.warn('lost')
  log.warn('lost, too')
  closeSync(2)
  openSync(process.argv[1], 'a')
  log.warn('written')
  process.stdout.write('goes on')
`

test.runIf(existsSync(FULL))('a log on a full disk loses lines and does not end its process', () => {
  const file = join(dir, 'log')
  const full = openSync(FULL, 'w')
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', PROGRAM, file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', full],
  })
  closeSync(full)
  expect([status, stdout]).toEqual([0, 'goes on'])
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('"msg":"written"')
  expect(text).not.toContain('lost')
})
