/** @module-tag variant */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { readArchive } from '#server/backup/read-archive.ts'
import { findRunningPostgres } from '#server/processes/postgres/postgres.ts'
import { readMasterSeed } from '#server/signer/keys/master-seed.ts'
import {
  COMPILE_CACHE,
  listProcessTree,
  runServer,
  type RunningServer,
  waitFor,
} from '#tests/support/run-server.ts'

const MAIN = resolve(import.meta.dirname, '../../server/main.ts')
const folder = mkdtempSync(join(tmpdir(), 'cotton-farm-backups-'))
const [oldDir, newDir, backupDir] = [
  join(folder, 'old'),
  join(folder, 'new'),
  join(folder, 'backups'),
] as const
let server: RunningServer | undefined

afterAll(async () => {
  if (server && listProcessTree(server.pid).length > 0) server.pressCtrlC()
  await server?.ended
  rmSync(folder, { recursive: true })
})

type Ended = { code: number; out: string; err: string }

function ops(dataDir: string, ...args: string[]): Promise<Ended> {
  const env = { ...COMPILE_CACHE, PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir }
  return new Promise((settle) => {
    execFile(process.execPath, [MAIN, 'ops', ...args], { env }, (error, out, err) =>
      settle({ code: error ? Number(error.code) : 0, out, err }),
    )
  })
}

async function ask(dataDir: string, text: string): Promise<object[]> {
  const client = new Client({ connectionString: findRunningPostgres(dataDir) })
  await client.connect()
  try {
    return (await client.query<object>(text)).rows
  } finally {
    await client.end()
  }
}

const readTreasury = (dataDir: string) =>
  ask(dataDir, `select value ->> 'treasury' as treasury from settings where name = 'chain'`)

/** Everything in the backup, as Latin-1 text. */
async function contentOf(path: string): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const { content } of readArchive({ path, identities: [] }))
    for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks).toString('latin1')
}

test(
  'a running game backs itself up, and the backup becomes a game once the seed is copied',
  { timeout: 240_000 },
  async () => {
    mkdirSync(oldDir)
    server = runServer({ dataDir: oldDir, env: { BACKUP_DIR: backupDir, BACKUP_EVERY: '1d' } })
    await server.ready
    await ask(oldDir, `insert into users (wallet, created_at) values ('a', now())`)
    const names = () => readdirSync(backupDir, { encoding: 'utf8' }).filter((name) => name.endsWith('.zst'))
    const recorded = `select value -> 'bytes' as bytes from settings where name = 'last_backup'`
    await waitFor('a backup', async () => (await ask(oldDir, recorded)).length > 0, 90_000)
    const [file = ''] = names()
    expect(file).toMatch(/^cotton-farm-[0-9a-f]{8}-\d{8}T\d{6}Z\.tar\.zst$/)
    const treasury = await readTreasury(oldDir)
    server.pressCtrlC()
    expect(await server.ended).toBe(0)
    expect(readdirSync(backupDir)).toEqual([file])

    const path = join(backupDir, file)
    const content = await contentOf(path)
    const seed = Buffer.from(
      readMasterSeed({ dataDir: oldDir, localChain: true, env: {}, boundTreasury: null }),
    )
    const files = [
      'keys/signer.seed',
      'secrets/signer-passphrase',
      'secrets/database-owner',
      'secrets/database-api',
    ]
    const secrets = files.map((name) => readFileSync(join(oldDir, name), 'latin1').trim())
    for (const secret of [...secrets, seed.toString('hex'), seed.toString('base64'), seed.toString('latin1')])
      expect(content).not.toContain(secret)
    expect(content).toContain('SQLite format 3')

    const restored = await ops(oldDir, 'restore', path, '--into', newDir)
    expect(restored).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Restored into .*The seed is not in a backup.*operators\.json/s),
    })
    for (const name of ['keys', 'secrets/signer-passphrase'])
      cpSync(join(oldDir, name), join(newDir, name), { recursive: true, preserveTimestamps: true, mode: 0 })
    server = runServer({ dataDir: newDir, env: { BACKUP_DIR: backupDir } })
    await server.ready
    expect(await ask(newDir, 'select wallet from users')).toEqual([{ wallet: 'a' }])
    expect(await readTreasury(newDir)).toEqual(treasury)
  },
)
