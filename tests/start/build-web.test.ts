import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** A checkout whose Vite is this program. Returns its build script. */
function makeCheckout(program: string): string {
  const checkout = mkdtempSync(join(tmpdir(), 'cotton-farm-build-'))
  onTestFinished(() => rmSync(checkout, { recursive: true }))
  const vite = join(checkout, 'node_modules/vite/bin')
  for (const folder of [vite, join(checkout, 'scripts')]) mkdirSync(folder, { recursive: true })
  const script = join(checkout, 'scripts/build-web.mjs')
  copyFileSync('scripts/build-web.mjs', script)
  symlinkSync(resolve('server'), join(checkout, 'server'))
  writeFileSync(join(vite, 'vite.js'), program)
  return script
}

test('a build that the system kills says why, and is not taken for complete', () => {
  const script = makeCheckout(`process.kill(process.pid, 'SIGKILL')`)
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { status, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
    expect(stdout).toMatch(
      /^Building the web app …\nThe build was killed, as Linux does without memory: .*\n$/,
    )
    expect(status).toBe(1)
  }
})

test('a build that cannot be written, as on a full disk, ends with a sentence', () => {
  const script = makeCheckout('')
  // A file in place of the folder fails for root, too.
  const build = join(dirname(script), '../.build')
  writeFileSync(build, '')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, ''])
  expect(stdout).toMatch(/^Building the web app …\n.*\.build cannot be written: .*\n$/)
})

/** Builds one file, as Vite does where its options say. */
const BUILDING = `
  const { mkdirSync, writeFileSync } = require('node:fs')
  const folder = '.build/next/' + (process.argv.includes('vite.config.ts') ? 'web' : 'console')
  mkdirSync(folder, { recursive: true })
  writeFileSync(folder + '/index.html', 'built')
  console.log(process.env.NODE_ENV)`

test('the pages are built for production, whatever NODE_ENV of the shell is', () => {
  const script = makeCheckout(BUILDING)
  const env = { ...process.env, NODE_ENV: 'development' }
  const { status, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8', env })
  expect([status, stdout]).toEqual([0, 'Building the web app …\nproduction\nproduction\n'])
})

test('the last build stays until the next one is complete, of which nothing else is left', () => {
  const script = makeCheckout(`${BUILDING}
    if (process.argv.includes('vite.console.config.ts') && process.env.FAIL) process.exit(1)`)
  const build = (env: Record<string, string>) => spawnSync(process.execPath, [script], { env }).status
  const web = join(dirname(script), '../.build/web')
  mkdirSync(web, { recursive: true })
  writeFileSync(join(web, 'old.js'), 'old')
  expect([build({ FAIL: 'yes' }), readdirSync(web)]).toEqual([1, ['old.js']])
  expect([build({}), readdirSync(web)]).toEqual([0, ['index.html']])
  expect(readdirSync(join(web, '../next'))).toEqual([])
})

test('of two builds at once the second waits for the first, and pages that are gone are built again', async () => {
  const script = makeCheckout(`${BUILDING}
    require('node:fs').appendFileSync('builds.log', folder + '\\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)`)
  const checkout = dirname(dirname(script))
  const built = () => readFileSync(join(checkout, 'builds.log'), 'utf8').trim().split('\n')
  const build = async () => (await once(spawn(process.execPath, [script]), 'exit'))[0]
  expect(await Promise.all([build(), build()])).toEqual([0, 0])
  expect(built()).toEqual(['.build/next/web', '.build/next/console'])
  rmSync(join(checkout, '.build/web'), { recursive: true })
  expect(await build()).toBe(0)
  expect(built()).toHaveLength(4)
  expect(readdirSync(join(checkout, '.build/web'))).toEqual(['index.html'])
})
