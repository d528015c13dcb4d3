import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readMasterSeed } from './master-seed.ts'
import { openSeed, sealSeed } from './sealed-seed.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cotton-farm-seed-'))
})

afterEach(() => rmSync(dataDir, { recursive: true }))

const readLocal = (env: NodeJS.ProcessEnv = {}) =>
  readMasterSeed({ dataDir, localChain: true, env, boundTreasury: null })
const readElsewhere = (env: NodeJS.ProcessEnv) =>
  readMasterSeed({ dataDir, localChain: false, env, boundTreasury: null })
const seedFile = () => join(dataDir, 'keys', 'signer.seed')
const secretFile = () => join(dataDir, 'secrets', 'signer-passphrase')
const spellings = (seed: Uint8Array) =>
  (['hex', 'base64', 'latin1'] as const).map((encoding) => Buffer.from(seed).toString(encoding))

function writePrivate(path: string, text: string, mode = 0o400): string {
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

test('the local seed is created once, is stored sealed, and only its owner can read it', () => {
  const seed = readLocal()
  expect(seed).toHaveLength(64)
  expect(readLocal()).toEqual(seed)
  expect(statSync(seedFile()).mode & 0o777).toBe(0o400)
  expect(statSync(secretFile()).mode & 0o077).toBe(0)
  for (const file of [seedFile(), secretFile()]) {
    const text = readFileSync(file, 'latin1')
    for (const spelling of spellings(seed)) expect(text).not.toContain(spelling)
  }
})

test('the draft of a start that was killed or found the disk full is no obstacle', () => {
  mkdirSync(join(dataDir, 'keys'))
  // In a container the next start may have the same process id.
  writePrivate(`${seedFile()}.${process.pid}`, 'a part of it', 0o444)
  expect(readLocal()).toHaveLength(64)
  expect(statSync(seedFile()).mode & 0o777).toBe(0o400)
})

test('a database that already has a treasury gets no new seed, and the error says what to copy', () => {
  const readRestored = () => readMasterSeed({ dataDir, localChain: true, env: {}, boundTreasury: 'Tr3asury' })
  expect(readRestored).toThrow(/treasury Tr3asury: copy keys\/signer\.seed and secrets\/signer-passphrase/)
  // A game on a cluster whose settings are lost starts on a local chain, which has no seed.
  expect(readRestored).toThrow(/ran with SOLANA_RPC_URL and SIGNER_SEED_FILE, set them again\.$/)
  expect(statSync(seedFile(), { throwIfNoEntry: false })).toBeUndefined()
  const seed = readLocal()
  expect(readRestored()).toEqual(seed)
})

test('a plain seed of an earlier version is sealed at the first start and stays the same', () => {
  const seed = randomBytes(64)
  mkdirSync(join(dataDir, 'keys'))
  writePrivate(seedFile(), `${seed.toString('hex')}\n`)
  expect(Buffer.from(readLocal())).toEqual(seed)
  const text = readFileSync(seedFile(), 'utf8')
  expect(text).not.toContain(seed.toString('hex'))
  expect(statSync(seedFile()).mode & 0o777).toBe(0o400)
  expect(Buffer.from(readLocal())).toEqual(seed)
})

test('a sealed seed with a lost or wrong passphrase is refused, and no new seed replaces it', () => {
  const seed = readLocal()
  const passphrase = readFileSync(secretFile(), 'utf8')
  expect(() => readLocal({ SIGNER_PASSPHRASE: 'another one' })).toThrow('cannot be opened')
  rmSync(secretFile())
  expect(() => readLocal()).toThrow('SIGNER_PASSPHRASE_FILE cannot be read')
  expect(statSync(secretFile(), { throwIfNoEntry: false })).toBeUndefined()
  const env = { SIGNER_PASSPHRASE: passphrase }
  expect(readLocal(env)).toEqual(seed)
  expect(env).toEqual({})
  const apart = writePrivate(join(dataDir, 'apart'), passphrase)
  expect(readLocal({ SIGNER_PASSPHRASE_FILE: apart })).toEqual(seed)
})

test('files that others can read are refused', () => {
  readLocal()
  for (const path of [seedFile(), secretFile()]) {
    for (const mode of [0o440, 0o404, 0o644]) {
      chmodSync(path, mode)
      expect(() => readLocal()).toThrow(`${path} can be read by others`)
    }
    chmodSync(path, 0o400)
  }
  const open = writePrivate(join(dataDir, 'readable'), randomBytes(64).toString('hex'), 0o644)
  expect(() => readElsewhere({ SIGNER_SEED_FILE: open })).toThrow('can be read by others')
})

test('off the local chain the seed must be configured, in hex or sealed, and an invalid one is never printed', () => {
  expect(() => readElsewhere({})).toThrow('SIGNER_SEED_FILE is missing')
  const seed = randomBytes(64)
  const hex = seed.toString('hex')
  const plain = writePrivate(join(dataDir, 'plain'), `${hex}\n`)
  expect(Buffer.from(readElsewhere({ SIGNER_SEED_FILE: plain }))).toEqual(seed)
  const sealed = writePrivate(join(dataDir, 'sealed'), sealSeed(seed, 'apart'))
  const env = { SIGNER_SEED_FILE: sealed, SIGNER_PASSPHRASE: 'apart' }
  expect(Buffer.from(readElsewhere(env))).toEqual(seed)
  const hexEnv = { SIGNER_SEED: hex }
  expect(Buffer.from(readElsewhere(hexEnv))).toEqual(seed)
  expect(hexEnv).toEqual({})
  expect(() => readElsewhere({ SIGNER_SEED: 'beef cafe' })).toThrow(
    /^SIGNER_SEED must contain 64 bytes in hex\.$/,
  )
  expect(() => readElsewhere({ SIGNER_SEED_FILE: join(dataDir, 'none') })).toThrow(
    /cannot be read: \S+ \(ENOENT\)\. It must be a file of the user that runs the signer\.$/,
  )
})

test('a sealed seed with one changed byte, or with a part of its tag, cannot be opened', () => {
  const text = sealSeed(randomBytes(64), 'apart')
  expect(openSeed(text, 'apart')).toHaveLength(64)
  const parts = JSON.parse(text) as Record<string, string>
  for (const name of ['salt', 'nonce', 'tag', 'seed']) {
    const bytes = Buffer.from(parts[name]!, 'base64')
    bytes[3]! ^= 1
    expect(openSeed(JSON.stringify({ ...parts, [name]: bytes.toString('base64') }), 'apart')).toBeNull()
  }
  // A tag of four bytes could be guessed.
  const tag = Buffer.from(parts.tag!, 'base64').subarray(0, 4).toString('base64')
  expect(openSeed(JSON.stringify({ ...parts, tag }), 'apart')).toBeNull()
  expect(openSeed('{}', 'apart')).toBeNull()
})

test('a seed that an earlier version has sealed is opened', () => {
  const sealed = {
    cipher: 'aes-256-gcm',
    salt: 'FHsvEEY/NbWbQQY13+ejAw==',
    nonce: 'cDbHYEhURTW5bhlF',
    tag: 'gF/NWiqRkmzRk8FFi23/PQ==',
    seed: 'JiPvpd1QV0kf0JnkIPwfPqcErK4tuscT2QFu1Lv/6QMw+rJGoiK/6TRTDsrhUoL8pzHOHDxeoDa7+MkRjGEsGg==',
  }
  expect(openSeed(JSON.stringify(sealed), 'apart')).toEqual(Uint8Array.from({ length: 64 }, (_, at) => at))
})
