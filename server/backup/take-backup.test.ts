import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { afterEach, beforeEach, expect } from 'vitest'
import { StartupError } from '#server/platform/startup-error.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { checkArchive } from './check-archive.ts'
import { HEAD_PART } from './manifest.ts'
import { readArchive } from './read-archive.ts'
import { takeBackup } from './take-backup.ts'
import { writeArchive } from './write-archive.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cotton-farm-backup-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const file = () => join(dir, 'a.tar.zst')

function backUp(world: TestWorld, { recipient = '', to = file() } = {}) {
  const options = {
    url: world.directUrl,
    dataDir: dir,
    file: to,
    recipient,
    release: '0.1.0',
    onProgress: () => {},
  }
  return takeBackup(options)
}

async function messageOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.catch((problem: unknown) => problem)
  expect(error).toBeInstanceOf(StartupError)
  return (error as StartupError).message
}

async function contentOf(path: string, identities: string[] = []): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const part of readArchive({ path, identities })) {
    chunks.push(Buffer.from(`${part.name}\n`))
    for await (const chunk of part.content) chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

test('a backup counts the rows of each table, can be read by its owner only, and leaves no other file', async ({
  world,
}) => {
  const player = await world.player({ deposited: 100_000 })
  await world.hire(player, 'kid')
  const { manifest } = await backUp(world)
  const rowsOf = (name: string) => manifest.tables.find((table) => table.name === name)?.rows
  expect(rowsOf('workers')).toBe(1)
  expect(rowsOf('journals')).toBe(2)
  expect(readdirSync(dir)).toEqual(['a.tar.zst'])
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(await checkArchive({ path: file(), identities: [] })).toEqual(manifest)
  expect(await messageOf(backUp(world))).toMatch(/exists already: name another file/)
})

test('keys, passphrases and database passwords of the data folder are in no backup', async ({ world }) => {
  const secrets = ['keys/signer.seed', 'secrets/signer-passphrase', 'secrets/database-owner', 'signer.seed']
  const values = secrets.map((name) => {
    const value = randomBytes(64).toString('hex')
    mkdirSync(join(dir, name, '..'), { recursive: true })
    writeFileSync(join(dir, name), value)
    return value
  })
  mkdirSync(join(dir, 'signed'))
  writeFileSync(join(dir, 'signed/payouts.log'), 'the list of payouts')
  writeFileSync(join(dir, 'world.json'), '{}')
  await backUp(world)
  const content = (await contentOf(file())).toString('latin1')
  expect(content).toContain('the list of payouts')
  expect(content).toContain('files/world.json')
  for (const value of values) {
    const bytes = Buffer.from(value, 'hex')
    for (const spelling of [value, bytes.toString('base64'), bytes.toString('latin1')])
      expect(content).not.toContain(spelling)
  }
})

test('an encrypted backup opens with its key only, and says so', async ({ world }) => {
  const [identity, other] = [await generateIdentity(), await generateIdentity()]
  const { manifest } = await backUp(world, { recipient: await identityToRecipient(identity) })
  const path = file()
  expect(await checkArchive({ path, identities: [other, identity] })).toEqual(manifest)
  expect(await messageOf(checkArchive({ path, identities: [] }))).toMatch(
    /is encrypted: name the file with the key/,
  )
  expect(await messageOf(checkArchive({ path, identities: [other] }))).toMatch(
    /^The key of --identity does not open .*: it is encrypted for another recipient/,
  )
})

test('a changed byte or a missing end is noticed, unless it changes nothing that is restored', async ({
  world,
}) => {
  await world.player({ deposited: 5 })
  const identity = await generateIdentity()
  const plain = join(dir, 'plain')
  const sealed = join(dir, 'sealed')
  await backUp(world, { to: plain })
  await backUp(world, { to: sealed, recipient: await identityToRecipient(identity) })
  for (const path of [plain, sealed]) {
    const bytes = readFileSync(path)
    const manifest = await checkArchive({ path, identities: [identity] })
    const damaged = join(dir, 'damaged')
    const step = Math.ceil(bytes.length / 40)
    const positions = [...Array(41).keys()].flatMap((at) => [at, at * step, bytes.length - 1 - at])
    let unnoticed = 0
    for (const at of positions.filter((each) => each >= 0 && each < bytes.length)) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 0x10
      for (const content of [changed, bytes.subarray(0, at)]) {
        writeFileSync(damaged, content)
        const result: unknown = await checkArchive({ path: damaged, identities: [identity] }).catch(
          (error) => error,
        )
        if (result instanceof StartupError)
          expect(result.message).toMatch(
            /is damaged or incomplete \(|is not a backup of Cotton Farm|does not open/,
          )
        else {
          // Flags without a meaning, and the empty end of the archive.
          expect(result, `byte ${at}`).toEqual(manifest)
          unnoticed++
        }
      }
    }
    expect(unnoticed).toBeLessThan(positions.length / 2)
  }
})

test('a backup of a newer format is refused by name, and one without its end is incomplete', async () => {
  const write = (path: string, head: object) =>
    writeArchive(path, [], (writer) => writer.add(HEAD_PART, Buffer.from(JSON.stringify(head))))
  await write(join(dir, 'newer'), { format: 'cotton-farm-backup', version: 2, more: true })
  await write(join(dir, 'short'), { format: 'cotton-farm-backup', version: 1 })
  const read = (name: string) => messageOf(checkArchive({ path: join(dir, name), identities: [] }))
  expect(await read('newer')).toMatch(/has the format 2, and this program reads up to 1: use the release/)
  expect(await read('short')).toMatch(/is damaged or incomplete \(its end is missing\)/)
})

test('a backup that is stopped while it copies rows ends at once and leaves nothing', async ({ world }) => {
  const stopping = new AbortController()
  const { signal } = stopping
  const seen: string[] = []
  const onProgress = (sentence: string) => {
    seen.push(sentence)
    if (sentence.startsWith('Copying table 2 ')) stopping.abort()
  }
  const options = { url: world.directUrl, dataDir: dir, file: file(), recipient: '', release: '0.1.0' }
  expect(await messageOf(takeBackup({ ...options, onProgress, signal }))).toBe('Stopped. No backup was made.')
  expect(seen).toHaveLength(2)
  expect(readdirSync(dir)).toEqual([])
})

test('a backup counts its rows twice against the free space, and leaves nothing if there is too little', async ({
  world,
}) => {
  await world.player({ deposited: 5 })
  const options = { url: world.directUrl, dataDir: dir, file: file(), recipient: '', release: '0.1.0' }
  const onProgress = () => {}
  let counted = 0
  const { manifest } = await takeBackup({
    ...options,
    onProgress,
    checkFreeSpace: async (bytes) => void (counted += bytes),
  })
  const rows = manifest.parts.filter(({ name }) => name.startsWith('tables/'))
  expect(counted).toBe(2 * rows.reduce((sum, { size }) => sum + size, 0))

  rmSync(file())
  const checkFreeSpace = () => Promise.reject(new StartupError('The disk has too little space.'))
  expect(await messageOf(takeBackup({ ...options, onProgress, checkFreeSpace }))).toBe(
    'The disk has too little space.',
  )
  expect(readdirSync(dir)).toEqual([])
})

test('a backup that cannot write its rows names the data folder, not its own', async ({ world }) => {
  const dataDir = join(dir, 'gone')
  const options = { url: world.directUrl, dataDir, file: file(), recipient: '', release: '0.1.0' }
  expect(await messageOf(takeBackup({ ...options, onProgress: () => {} }))).toBe(
    `The folder ${dataDir} does not exist. No backup was made. Create it, or name another.`,
  )
  expect(readdirSync(dir)).toEqual([])
})

test('a file that does not exist, another file and a folder without a way in are each one sentence', async ({
  world,
}) => {
  const read = (path: string) => messageOf(checkArchive({ path, identities: [] }))
  expect(await read(join(dir, 'none'))).toMatch(/cannot be read \(it does not exist\): check its name/)
  copyFileSync(import.meta.filename, join(dir, 'text'))
  expect(await read(join(dir, 'text'))).toMatch(/is not a backup of Cotton Farm/)
  expect(await messageOf(backUp(world, { to: join(dir, 'missing/a') }))).toMatch(
    /missing does not exist\. No backup was made\. Create it/,
  )
  writeFileSync(join(dir, 'blocker'), '')
  expect(await messageOf(backUp(world, { to: join(dir, 'blocker/a') }))).toMatch(/No backup was made/)
})
