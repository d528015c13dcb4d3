import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissionFlags } from './role-permissions.ts'

let dataDir: string
let secrets: string[]

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cotton-farm-permissions-'))
  secrets = ['keys/signer.seed', 'secrets/signer-passphrase', 'secrets/known.json'].map((file) =>
    join(dataDir, file),
  )
  for (const folder of ['keys', 'secrets']) mkdirSync(join(dataDir, folder))
  for (const file of secrets) writeFileSync(file, '"secret"', { mode: 0o600 })
  writeFileSync(join(dataDir, 'terms.md'), 'Be kind.')
})

afterAll(() => rmSync(dataDir, { recursive: true }))

const permissionOptions = () => ({
  termsFile: join(dataDir, 'terms.md'),
  operatorsFile: join(dataDir, 'operators.json'),
  metricsPort: 9100,
  databaseUrl: 'postgres://api@pooler.example/farm?sslrootcert=/etc/farm/pooler.pem',
  databaseDirectUrl: 'postgres://api@db1:5432,db2:5432/farm?sslrootcert=/etc/farm/ca.pem',
})

/** Tries every access to a path from inside a role. Its output lists the ways that worked. */
const READ = `
import fs from 'node:fs'
import { createRequire } from 'node:module'
const [, path, allowed] = process.argv
const require = createRequire('file:///probe.js')
const above = allowed.replace(/[^/]+/g, '..')
const folder = fs.openSync(allowed, 'r')
const ways = {
  read: () => fs.readFileSync(path),
  promise: () => fs.promises.readFile(path),
  open: () => fs.closeSync(fs.openSync(path, 'r')),
  above: () => fs.readFileSync(allowed + '/' + above + path),
  aboveBytes: () => fs.readFileSync(Buffer.from(allowed + '/' + above + path)),
  aboveDescriptor: () => {
    const parentOf = (at) => fs.openSync('/proc/self/fd/' + at + '/..', 'r')
    fs.readFileSync('/proc/self/fd/' + allowed.split('/').reduce(parentOf, folder) + path)
  },
  root: () => fs.readFileSync('/proc/self/root' + path),
  require: () => require(path),
  import: () => import(path, { with: { type: 'json' } }),
  environment: () => process.loadEnvFile(path),
  blob: async () => (await fs.openAsBlob(path)).text(),
  copy: () => fs.copyFileSync(path, path + '.copy'),
  link: () => fs.symlinkSync(path, path + '.link'),
  write: () => fs.appendFileSync(path, ' '),
  remove: () => fs.rmSync(path),
}`

/** Tries to start processes and to load native code from inside a role. */
const START = `
const path = process.argv[1]
const ways = {
  process: async () => {
    const { error } = (await import('node:child_process')).spawnSync('true')
    if (error) throw error
  },
  worker: async () => new (await import('node:worker_threads')).Worker('0', { eval: true }),
  database: async () => new (await import('node:sqlite')).DatabaseSync(path),
  // The file is not native code, so another error than "not permitted" means that Node tried to load it.
  addon: () => {
    try {
      process.dlopen({ exports: {} }, path)
    } catch (error) {
      if (error.code !== 'ERR_DLOPEN_FAILED') throw error
    }
  },
  binding: () => process.binding('fs'),
}`

const TRY_ALL = `
const worked = []
for (const [name, attempt] of Object.entries(ways)) {
  try {
    await attempt()
    worked.push(name)
  } catch {}
}
console.log(JSON.stringify(worked))`

const namesIn = (ways: string) => [...ways.matchAll(/^ {2}(\w+): /gm)].map((match) => match[1])

function workedIn(role: 'api' | 'watcher' | 'console' | 'signer', ways: string, path: string): string[] {
  const flags = [...permissionFlags(role, permissionOptions()), '--input-type=module', '--no-warnings']
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, '--eval', ways + TRY_ALL, path, import.meta.dirname],
    { encoding: 'utf8', env: {} },
  )
  expect(stdout, stderr).toMatch(/^\[.*\]\n$/)
  return JSON.parse(stdout) as string[]
}

describe.each(['api', 'watcher', 'console'] as const)('code that runs in the %s', (role) => {
  test('cannot read or change keys, passwords and other processes', () => {
    for (const path of [...secrets, '/etc/passwd', `/proc/${process.pid}/environ`, '/proc/self/environ'])
      expect(workedIn(role, READ, path), path).toEqual([])
  })

  test('cannot start processes or load native code', () => {
    expect(workedIn(role, START, join(dataDir, 'new.sqlite'))).toEqual([])
  })
})

test('every access works in an unconfined role', () => {
  const hasProc = process.platform === 'linux'
  const ways = namesIn(READ).filter((name) => hasProc || (name !== 'aboveDescriptor' && name !== 'root'))
  expect(workedIn('signer', READ, secrets.at(-1)!)).toEqual(ways)
  expect(workedIn('signer', START, join(dataDir, 'new.sqlite'))).toEqual(namesIn(START))
})

test('the api can read the configured terms and certificates, and cannot change them', () => {
  const worked = workedIn('api', READ, join(dataDir, 'terms.md'))
  expect(worked).toContain('read')
  for (const way of ['copy', 'link', 'write', 'remove']) expect(worked).not.toContain(way)
  const flags = permissionFlags('api', permissionOptions())
  for (const file of ['/etc/farm/ca.pem', '/etc/farm/pooler.pem'])
    expect(flags).toContain(`--allow-fs-read=${file}`)
})
