import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { withDatabase } from '#server/processes/postgres/postgres.ts'
import { queryRows, runStatements } from '#tests/support/test-postgres.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { restoreFolder } from './restore-folder.ts'
import { takeBackup } from './take-backup.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cotton-farm-restore-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const onProgress = () => {}

async function backUp(world: TestWorld): Promise<string> {
  const dataDir = join(dir, 'old')
  mkdirSync(join(dataDir, 'signed'), { recursive: true })
  writeFileSync(join(dataDir, 'signed/payouts.log'), 'a b\n')
  writeFileSync(join(dataDir, 'terms.md'), '# Terms')
  const file = join(dir, 'a.tar.zst')
  await takeBackup({ url: world.url, dataDir, file, recipient: '', release: '0.1.0', onProgress })
  return file
}

const restore = (path: string, into: string, databaseUrl = '') =>
  restoreFolder({ path, identities: [], into, databaseUrl, env: {}, onProgress })

test('a folder that is not empty, a file in the way and a folder that does not exist are refused, and nothing is left', async ({
  world,
}) => {
  const file = await backUp(world)
  const before = readdirSync(dir).toSorted()
  await expect(restore(file, join(dir, 'old'))).rejects.toThrow(
    /old is not empty: name a new one\. Nothing was/,
  )
  await expect(restore(file, file)).rejects.toThrow(/is a file: name a new folder/)
  await expect(restore(file, join(dir, 'no/where'))).rejects.toThrow(
    /does not exist\. Nothing was restored\./,
  )
  const damaged = readFileSync(file).subarray(0, -20)
  writeFileSync(file, damaged)
  await expect(restore(file, join(dir, 'new'))).rejects.toThrow(/is damaged or incomplete/)
  expect(readdirSync(dir).toSorted()).toEqual(before)
})

test('a restore that fails late removes its folder', async ({ world }) => {
  const file = await backUp(world)
  const before = readdirSync(dir).toSorted()
  // This database is not empty.
  await expect(restore(file, join(dir, 'new'), world.url)).rejects.toThrow(/is not empty: create a new one/)
  expect(readdirSync(dir).toSorted()).toEqual(before)
})

test('a restore that is stopped while it checks the backup goes no further', async ({ world }) => {
  const path = await backUp(world)
  const said: string[] = []
  const onProgress = (sentence: string) => void said.push(sentence)
  const of = { path, identities: [], into: join(dir, 'new'), databaseUrl: '', env: {}, onProgress }
  const restoring = restoreFolder({ ...of, signal: AbortSignal.abort() })
  await expect(restoring).rejects.toThrow('Stopped. Nothing was restored.')
  expect(said).toEqual([`Checking ${path} …`])
})

test('a restore that is stopped while it reads the backup again makes no database', async ({ world }) => {
  const path = await backUp(world)
  const before = readdirSync(dir).toSorted()
  const said: string[] = []
  const onProgress = (sentence: string) => void said.push(sentence)
  const stopping = new AbortController()
  // The first file is about to be written.
  const checkFreeSpace = async () => stopping.abort()
  const of = { path, identities: [], into: join(dir, 'new'), databaseUrl: '', env: {}, onProgress }
  const restoring = restoreFolder({ ...of, checkFreeSpace, signal: stopping.signal })
  await expect(restoring).rejects.toThrow('Stopped. Nothing was restored.')
  expect(said).toEqual([`Checking ${path} …`])
  expect(readdirSync(dir).toSorted()).toEqual(before)
})

test('a folder that cannot get its name leaves the database of the operator empty', async ({ world }) => {
  const file = await backUp(world)
  const name = `test_restore_${randomBytes(6).toString('hex')}`
  await runStatements(world.directUrl, `create database ${name}`)
  const databaseUrl = withDatabase(world.directUrl, name)
  const into = join(dir, 'new')
  // Somebody else makes the folder meanwhile.
  const onProgress = (sentence: string) => {
    if (sentence.startsWith('Restoring table worker_types'))
      mkdirSync(join(into, 'other'), { recursive: true })
  }
  try {
    const options = { path: file, identities: [], into, databaseUrl, env: world.environment, onProgress }
    await expect(restoreFolder(options)).rejects.toThrow(`${into} exists already. Nothing was restored.`)
    expect(readdirSync(dir).toSorted()).toEqual(['a.tar.zst', 'new', 'old'])
    expect(
      await queryRows(databaseUrl, `select from pg_class where relnamespace = 'public'::regnamespace`),
    ).toEqual([])
  } finally {
    await runStatements(world.directUrl, `drop database ${name} with (force)`)
  }
})

test('of two restores at once into one database one is complete, and the other changes nothing', async ({
  world,
}) => {
  const file = await backUp(world)
  const name = `test_restore_${randomBytes(6).toString('hex')}`
  await runStatements(world.directUrl, `create database ${name}`)
  const databaseUrl = withDatabase(world.directUrl, name)
  const into = join(dir, 'new')
  const options = { path: file, identities: [], into, databaseUrl, env: world.environment, onProgress }
  try {
    const ended = await Promise.allSettled([restoreFolder(options), restoreFolder(options)])
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [refused] = ended.filter((each) => each.status === 'rejected')
    expect(String(refused?.reason)).toContain('Another restore into the database of DATABASE_URL is at work')
    expect(readdirSync(dir).toSorted()).toEqual(['a.tar.zst', 'new', 'old'])
    const read = 'select count(*)::int as count from worker_types'
    expect(await queryRows(databaseUrl, read)).toEqual(await queryRows(world.directUrl, read))
  } finally {
    await runStatements(world.directUrl, `drop database ${name} with (force)`)
  }
})

test('what a killed restore left is named, and neither used nor removed', async ({ world }) => {
  const file = await backUp(world)
  const left = join(dir, '.new-restoring-a1B2c3')
  mkdirSync(left)
  const sentences: string[] = []
  await restoreFolder({
    path: file,
    identities: [],
    into: join(dir, 'new'),
    databaseUrl: '',
    env: {},
    onProgress: (sentence) => void sentences.push(sentence),
  })
  expect(sentences).toContain(
    `${left} is what a killed restore left. Remove it, unless another restore is at work.`,
  )
  expect(readdirSync(dir).toSorted()).toEqual(['.new-restoring-a1B2c3', 'a.tar.zst', 'new', 'old'])
})

test('a full disk fails a backup and a restore with one sentence, and leaves nothing', async ({
  world,
  skip,
}) => {
  const small = join(dir, 'small')
  mkdirSync(small)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]).status === 0
  if (!mounted) skip('needs the right to mount a small disk')
  try {
    const file = await backUp(world)
    await expect(restore(file, small)).rejects.toThrow(/small is a disk of its own: name a new folder in it/)
    writeFileSync(join(small, 'filler'), Buffer.alloc(60 * 1024))
    const to = join(small, 'b.tar.zst')
    const options = { url: world.url, dataDir: dir, file: to, recipient: '', release: '0.1.0', onProgress }
    writeFileSync(join(dir, 'world.json'), Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))))
    await expect(takeBackup(options)).rejects.toThrow(
      /^The disk of .*small is full\. No backup was made\. Make room/,
    )
    const elsewhere = { ...options, dataDir: small, file: join(dir, 'b.tar.zst') }
    await expect(takeBackup(elsewhere)).rejects.toThrow(/^The disk of .*small is full\. No backup was made\./)
    expect(readdirSync(small)).toEqual(['filler'])
    await expect(restore(file, join(small, 'data'))).rejects.toThrow(/Nothing was restored|could not be made/)
    expect(readdirSync(small)).toEqual(['filler'])
    expect(existsSync(join(small, 'data'))).toBe(false)
  } finally {
    spawnSync('umount', [small])
  }
})
