import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

type Packages = Record<string, { version: string; dev?: true; optional?: true }>

const GAME: Packages = { 'node_modules/game': { version: '1.0.0' } }
const OLDER: Packages = { 'node_modules/game': { version: '0.9.0' } }
const LINTER: Packages = { 'node_modules/linter': { version: '1.0.0', dev: true } }
const TESTER: Packages = { 'node_modules/tester': { version: '1.0.0', dev: true } }
const OF_OTHER_PLATFORM: Packages = { 'node_modules/other': { version: '1.0.0', optional: true } }

// The programs of the platform are optional packages.
const INSTALL = 'ci --loglevel=error --no-fund --no-audit --include=optional'

let checkout: string

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'cotton-farm-setup-'))
  for (const folder of ['scripts', 'bin', 'node_modules/.bin'])
    mkdirSync(join(checkout, folder), { recursive: true })
  for (const file of ['scripts/setup.mjs', 'scripts/find-chromium.mjs'])
    copyFileSync(file, join(checkout, file))
  writeProgram('node_modules/.bin/node', 'echo v24.0.0')
  writeProgram('bin/npm', `echo "$*" > "${join(checkout, 'npm.log')}"`)
  writePackages('package-lock.json', { ...GAME, ...LINTER, ...TESTER, ...OF_OTHER_PLATFORM })
})

afterEach(() => rmSync(checkout, { recursive: true }))

const writeProgram = (path: string, line: string) =>
  writeFileSync(join(checkout, path), `#!/bin/sh\n${line}\n`, { mode: 0o755 })

const writePackages = (path: string, packages: Packages) =>
  writeFileSync(join(checkout, path), JSON.stringify({ packages }))

/** Runs the setup where npm has installed these packages. */
function runSetup(installed: Packages, flags: string[] = []) {
  writePackages('node_modules/.package-lock.json', installed)
  return startSetup(flags)
}

function startSetup(flags: string[] = []) {
  // A Chromium that is named is not installed.
  const env = { PATH: `${join(checkout, 'bin')}:/usr/bin:/bin`, CHROMIUM_PATH: '/bin/true' }
  const args = [join(checkout, 'scripts/setup.mjs'), ...flags]
  return spawnSync(process.execPath, args, { encoding: 'utf8', env })
}

/** Runs it with success. Returns the arguments of the npm that it starts; null for none. */
function setUp(installed: Packages, ...flags: string[]): string | null {
  const log = join(checkout, 'npm.log')
  rmSync(log, { force: true })
  const { status, stderr } = runSetup(installed, flags)
  expect([status, stderr]).toEqual([0, ''])
  return existsSync(log) ? readFileSync(log, 'utf8').trim() : null
}

test('a start installs the packages if one is missing or has another version', () => {
  expect(setUp({ ...GAME, ...LINTER, ...TESTER })).toBeNull()
  expect(setUp({ ...LINTER, ...TESTER })).toBe(INSTALL)
  expect(setUp({ ...OLDER, ...LINTER, ...TESTER })).toBe(INSTALL)
  expect(setUp({ ...GAME, ...LINTER })).toBe(INSTALL)
})

test('a start installs the packages if the list of them was cut off, as by a power failure', () => {
  writeFileSync(join(checkout, 'node_modules/.package-lock.json'), '{"packages":')
  const { status, stderr } = startSetup()
  expect([status, stderr]).toEqual([0, ''])
  expect(readFileSync(join(checkout, 'npm.log'), 'utf8').trim()).toBe(INSTALL)
})

test('an npm that the system kills, or that is missing, is named as the reason', () => {
  writeProgram('bin/npm', 'kill -9 $$')
  expect(runSetup({}).stderr).toMatch(/^npm was killed, as Linux does without memory: .*\n$/)
  rmSync(join(checkout, 'bin/npm'))
  const env = { PATH: join(checkout, 'bin') }
  const { stderr } = spawnSync(process.execPath, [join(checkout, 'scripts/setup.mjs')], {
    encoding: 'utf8',
    env,
  })
  // Debian's package of Node has none.
  expect(stderr).toMatch(
    /^npm cannot be started \(.*ENOENT\): install npm 10 or newer, which some packages of Node lack\.\n$/,
  )
})

test('where npm omits the packages for development, only checks and tests install them', () => {
  expect(setUp(GAME)).toBeNull()
  expect(setUp(OLDER)).toBe(INSTALL)
  expect(setUp(GAME, '--check')).toBe(`${INSTALL} --include=dev`)
  expect(setUp(GAME, '--browser')).toBe(`${INSTALL} --include=dev`)
})

test('a system that cannot start the Node of the packages says what the game needs', () => {
  // On Alpine, too, the file is there, and what loads it is not.
  writeFileSync(join(checkout, 'node_modules/.bin/node'), '#!/no/such/loader\n')
  const { status, stderr } = runSetup({ ...GAME, ...LINTER, ...TESTER })
  expect(stderr).toMatch(
    /^The Node of the packages does not run here \(.* ENOENT\): Cotton Farm needs .* glibc, which Alpine lacks\. .* from another machine: remove it, then start again\.\n$/,
  )
  expect(status).toBe(1)
})

test('install scripts that npm has blocked are named', () => {
  rmSync(join(checkout, 'node_modules/.bin/node'))
  const { status, stderr } = runSetup({ ...GAME, ...LINTER, ...TESTER })
  expect(stderr).toMatch(/^The install scripts of "node" and ".*" did not run .*: run "npm rebuild .*\n$/)
  expect(status).toBe(1)
})

test('the commands that a fresh clone can run install the packages first', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  for (const name of ['start', 'dev', 'build', 'check', 'test', 'test:all'])
    expect(scripts[`pre${name}`], name).toMatch(/^node scripts\/setup\.mjs/)
})
