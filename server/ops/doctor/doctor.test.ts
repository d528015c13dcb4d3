import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { withDatabase } from '#server/processes/postgres/postgres.ts'
import { lockFolder } from '#server/processes/lock-folder.ts'
import { useDatabase } from '#server/processes/use-database.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { type RpcEdits, startEditingNode, startReverseProxy } from '#tests/support/proxies.ts'
import { listProcessTree, makeDataDir, type RunningServer, runServer } from '#tests/support/run-server.ts'
import { runStatements } from '#tests/support/test-postgres.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { checkEncryption } from './check-database.ts'
import { runDoctor } from './doctor.ts'

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

const folder = makeDataDir()
let server: RunningServer
let gameUrl: string
let chainUrl: string
let mint: string
let base: Record<string, string>
let database: FreshDatabase

beforeAll(async () => {
  const chainPort = String(await findFreePort(2))
  database = await freshDatabase()
  server = runServer({ dataDir: folder.dataDir, env: { CHAIN_RPC_PORT: chainPort } })
  gameUrl = await server.ready
  chainUrl = `http://127.0.0.1:${chainPort}`
  base = { DATA_DIR: folder.dataDir, PORT: new URL(gameUrl).port, CHAIN_RPC_PORT: chainPort }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'cottonMint', params: [] })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(chainUrl, { method: 'POST', headers, body })
  mint = ((await answer.json()) as { result: string }).result
})

afterAll(async () => {
  for (const { pid } of server ? listProcessTree(server.pid) : []) process.kill(pid, 'SIGKILL')
  await server.ended
  await database.drop()
  folder.remove()
})

/** The lines that the doctor prints, and how many need an action. */
async function examine(settings: Record<string, string> = {}, skewMs = 0) {
  const env = { ...base, ...settings }
  const config = readConfig(env)
  const lines: string[] = []
  const count = await runDoctor({
    config,
    env,
    now: () => new Date(Date.now() + skewMs),
    say: (line) => lines.push(line),
    useDatabase: (work) => useDatabase(config, work),
  })
  return { lines, count, text: lines.join('\n') }
}

test('a game that is set up well needs no action, and the doctor leaves no trace (X-13)', async () => {
  const before = readdirSync(folder.dataDir)
  const { lines, count } = await examine()
  expect(lines.filter((line) => line.startsWith('FIX'))).toEqual([])
  expect([count, lines.at(-1)]).toEqual([0, 'Nothing must be done.'])
  expect(lines.filter((line) => line.startsWith('ok')).length).toBeGreaterThan(9)
  expect(readdirSync(folder.dataDir)).toEqual(before)
})

test('an open secret, a seed that others read, and a missing one are found', async () => {
  const secret = join(folder.dataDir, 'secrets', 'database-api')
  const seed = join(folder.dataDir, 'seed')
  writeFileSync(seed, 'seed', { mode: 0o644 })
  chmodSync(secret, 0o640)
  const { text, count } = await examine({ SIGNER_SEED_FILE: seed })
  expect(text).toContain(`FIX   files: ${secret} can be read by others — chmod go= ${secret}`)
  expect(text).toContain(`FIX   seed: ${seed} can be read by others — chmod 400 ${seed}`)
  expect(count).toBe(2)
  chmodSync(secret, 0o600)
  expect((await examine({ SIGNER_SEED_FILE: `${seed}-lost` })).text).toContain(
    'which does not exist — restore',
  )
})

test('a broken file of operators is found', async () => {
  const file = join(folder.dataDir, 'who.json')
  writeFileSync(file, '{}')
  const { text, count } = await examine({ OPERATORS_FILE: file })
  expect(text).toContain(`FIX   operators: ${file}: "operators" must be a list of at least one`)
  expect(count).toBe(1)
})

test('a full disk and a folder that cannot be written are found', ({ skip }) => {
  const run = (options: string) => {
    const place = join(folder.dataDir, 'mounted')
    mkdirSync(place, { recursive: true })
    const script = `mount -t tmpfs -o ${options} tmpfs '${place}' && exec '${process.execPath}' server/main.ts ops doctor`
    const env = {
      PATH: process.env.PATH,
      DATA_DIR: place,
      CHAIN_RPC_PORT: base.CHAIN_RPC_PORT,
      PORT: base.PORT,
    }
    return spawnSync('unshare', ['--mount', 'sh', '-c', script], { encoding: 'utf8', env })
  }
  const small = run('size=100m')
  if (small.stderr.includes('unshare') || small.stderr.includes('mount:'))
    return skip('nothing can be mounted here')
  expect(small.stdout).toMatch(/FIX {3}disk: 0\.1 GB are free for \S+ — free some space/)
  expect(run('ro').stdout).toMatch(/FIX {3}files: \S+ cannot be written — give it to the user/)
  expect(small.status).toBe(1)
})

test('a data folder that does not exist is not created', async () => {
  const dataDir = join(folder.dataDir, 'nowhere')
  const { text } = await examine({ DATA_DIR: dataDir, PORT: String(await findFreePort()) })
  expect(text).toContain('does not exist — the first start creates it')
  expect(text).toContain(`note  database: there is none in ${dataDir} yet`)
  expect(existsSync(dataDir)).toBe(false)
})

test('a game that runs with other settings than the doctor is found', async () => {
  const dataDir = join(folder.dataDir, 'nowhere')
  const { text, count } = await examine({ DATA_DIR: dataDir })
  expect(text).toContain(
    `FIX   database: a game runs at ${new URL(gameUrl).origin}, and its database is not in ${dataDir} — run the doctor with`,
  )
  expect(count).toBe(1)
})

test('a built-in Postgres that has ended beside its game is found', async () => {
  const dataDir = join(folder.dataDir, 'ended')
  mkdirSync(join(dataDir, 'postgres'), { recursive: true })
  const unlock = lockFolder(dataDir, { name: 'server', lockedMessage: '', waitMs: 0 })
  const { text } = await examine({ DATA_DIR: dataDir })
  unlock()
  expect(text).toMatch(
    /FIX {3}database: A game runs on \S+, and its built-in Postgres does not run: .* — see docs\/runbooks\/game-down\.md$/m,
  )
})

test('a database that loses commits, lacks rights or has another schema is found', async () => {
  const examineDatabase = () => examine({ DATABASE_URL: database.directUrl })
  // The tests' server runs without fsync.
  const healthy = await examineDatabase()
  expect(healthy.text).toContain(
    'FIX   database: fsync is off, so a crash loses money — alter system set fsync = on',
  )
  expect((await examine({ DATABASE_URL: database.directUrlFor('api') })).text).toContain(
    `FIX   rights: the login "api" of DATABASE_URL does not own the tables — set DATABASE_URL to the owner's login`,
  )
  await runStatements(database.directUrl, 'revoke insert on entries from api')
  await runStatements(
    database.directUrl,
    `insert into schema_migrations (name, checksum) values ('9999_later.sql', '')`,
  )
  expect((await examineDatabase()).text).toContain(
    'FIX   schema: it is newer than this program (9999_later.sql)',
  )
  await runStatements(database.directUrl, `delete from schema_migrations where name = '9999_later.sql'`)
  await runStatements(
    database.directUrl,
    `update schema_migrations set name = '0000_first.sql' where name like '0001%'`,
  )
  expect((await examineDatabase()).text).toContain(
    'FIX   schema: it is newer than this program (0000_first.sql)',
  )
  await runStatements(database.directUrl, `delete from schema_migrations`)
  expect((await examineDatabase()).text).toContain(
    'FIX   schema: it is older than this program (0001_schema.sql',
  )
  await runStatements(database.directUrl, 'drop table schema_migrations')
  expect((await examineDatabase()).text).toContain('FIX   schema: the database has no tables of the game')
  expect((await examine({ DATABASE_URL: 'postgres://me@127.0.0.1:1/farm' })).text).toContain(
    'FIX   database: The database of DATABASE_URL cannot be reached: connect ECONNREFUSED 127.0.0.1:1 — check',
  )
})

test('a database that cannot store every character is found', async () => {
  const name = 'doctor_latin1'
  await runStatements(
    database.directUrl,
    `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
  )
  const { text } = await examine({ DATABASE_URL: withDatabase(database.directUrl, name) })
  await runStatements(database.directUrl, `drop database ${name} with (force)`)
  expect(text).toContain(
    'FIX   database: its encoding is LATIN1, in which announcements and reasons may fail — restore a backup into',
  )
  expect((await examine({ DATABASE_URL: database.directUrl })).text).not.toContain('its encoding')
})

test('a database whose indexes another system has sorted is found, until they are made again', async () => {
  const name = new URL(database.directUrl).pathname.slice(1)
  const examineDatabase = async () => (await examine({ DATABASE_URL: database.directUrl })).text
  await runStatements(
    database.directUrl,
    `update pg_database set datcollversion = '0' where datname = current_database()`,
  )
  expect(await examineDatabase()).toContain(
    'FIX   database: its indexes were made by version 0 of the order of text, and the system has 1 — stop the game',
  )
  await runStatements(database.directUrl, `reindex database ${name}`)
  await runStatements(database.directUrl, `alter database ${name} refresh collation version`)
  expect(await examineDatabase()).not.toContain('order of text')
})

test('an unencrypted connection to a database elsewhere is found, and one on this machine is fine', async () => {
  expect((await examine({ DATABASE_URL: database.directUrl })).text).not.toContain('unencrypted')
  const seen = { encrypted: false, local: false }
  // Postgres sees connections of other machines only in a network.
  const client = { query: async () => ({ rows: [seen] }) } as unknown as Parameters<typeof checkEncryption>[0]
  expect((await checkEncryption(client)).map(({ level, what }) => [level, what])).toEqual([
    ['fix', 'the connection leaves this machine unencrypted'],
  ])
  seen.encrypted = true
  expect(await checkEncryption(client)).toEqual([])
})

test('rights and settings that were lost are found', async () => {
  const other = await freshDatabase()
  await runStatements(other.directUrl, 'revoke insert on entries from api')
  const database = new URL(other.directUrl).pathname.slice(1)
  await runStatements(other.directUrl, `alter role signer in database ${database} reset statement_timeout`)
  const { text } = await examine({ DATABASE_URL: other.directUrl })
  await other.drop()
  expect(text).toContain('FIX   rights: the login "api" lacks 1 rights (grant')
  expect(text).toContain('FIX   rights: the login "signer" lacks 1 settings (statement_timeout=20s)')
})

test('a clock that differs from the database or from the chain is found', async () => {
  const slow = await examine({}, -90_000)
  expect(slow.text).toMatch(
    /FIX {3}clock: the database's clock differs from this machine's by 90\.\d s — synchronise/,
  )
  const node = await startEditingNode(chainUrl, { getBlockTime: () => Math.floor(Date.now() / 1000) - 100 })
  const { text } = await examine({ SOLANA_RPC_URL: node.url, COTTON_MINT: mint, CLUSTER: 'local' })
  node.close()
  expect(text).toMatch(/FIX {3}clock: the newest block is from 10\d s ago — synchronise/)
})

test('a signer that is silent while the game runs is found', async () => {
  expect((await examine()).text).not.toContain('signer: it was last seen')
  const { text } = await examine({}, 300_000)
  expect(text).toMatch(/FIX {3}signer: it was last seen at \S+Z, so nobody pays withdrawals — its log/)
  const other = await freshDatabase()
  const never = await examine({ DATABASE_URL: other.directUrl })
  await other.drop()
  expect(never.text).toContain('FIX   signer: it has never run on this database, so nobody pays withdrawals')
})

test('an empty database beside the built-in one of a game is found: players would own nothing in it', async () => {
  const other = await freshDatabase()
  const examineOther = async () => (await examine({ DATABASE_URL: other.directUrl })).text
  const found = `FIX   database: DATABASE_URL names a database without a game, and ${folder.dataDir} contains one`
  expect(await examineOther()).toContain(found)
  const chain = JSON.stringify({ genesisHash: MAINNET, mint, treasury: mint, cluster: 'mainnet' })
  await runStatements(
    other.directUrl,
    `insert into settings (name, value, at) values ('chain', '${chain}', now())`,
  )
  expect(await examineOther()).not.toContain(found)
  await other.drop()
})

async function examineNodes(settings: Record<string, string>, ...edits: RpcEdits[]) {
  const nodes = await Promise.all(edits.map((each) => startEditingNode(chainUrl, each)))
  const urls = nodes.map(({ url }) => url)
  const result = await examine({ SOLANA_RPC_URL: urls.join(','), COTTON_MINT: mint, ...settings })
  for (const node of nodes) node.close()
  return result
}

test('nodes of another chain or cluster, silent ones and ones that lag are found', async () => {
  const mainnet = { getGenesisHash: () => MAINNET }
  expect((await examineNodes({}, mainnet)).text).toContain('it is on another chain than the database')
  expect(
    (await examineNodes({ DATABASE_URL: database.directUrl, CLUSTER: 'devnet' }, mainnet)).text,
  ).toContain('SOLANA_RPC_URL leads to mainnet, but CLUSTER is devnet — correct SOLANA_RPC_URL or CLUSTER')
  const lagging = { getSlot: (slot: unknown) => Number(slot) - 500 }
  const two = await examineNodes({ CLUSTER: 'local' }, {}, lagging)
  expect(two.text).toMatch(/FIX {3}chain: the node \S+ is (4|5)\d\d slots behind another — wait/)
  expect(two.text).toContain('note  chain: SOLANA_RPC_URL names two nodes')
  const silent = await examine({ SOLANA_RPC_URL: 'http://127.0.0.1:1', COTTON_MINT: mint, CLUSTER: 'local' })
  expect(silent.text).toContain('FIX   chain: the node 127.0.0.1:1 does not answer (')
})

/** A node that shows another mint than the chain has. */
const editMint = (edit: (mint: Buffer) => void): RpcEdits => ({
  getAccountInfo: (result: unknown) => {
    const { value } = result as { value: { data: [string, string] } }
    const data = Buffer.from(value.data[0], 'base64')
    edit(data)
    return { ...(result as object), value: { ...value, data: [data.toString('base64'), 'base64'] } }
  },
})

test('a token that can be frozen, and one that is not the token of the ledger, are found', async () => {
  // The freeze authority: an option of four bytes, and the key.
  const freezable = editMint((mint) => mint.writeUInt32LE(1, 46))
  const noDatabase = { DATABASE_URL: 'postgres://me@127.0.0.1:1/farm' }
  expect((await examineNodes(noDatabase, freezable)).text).toMatch(
    /FIX {3}token: .* can freeze every account of .* — /,
  )
  expect((await examineNodes({ COTTON_MINT: '11111111111111111111111111111111' }, {})).text).toMatch(
    /FIX {3}token: /,
  )
})

test('a game whose token exists more often than a new game can store goes on, and the doctor agrees', async () => {
  const large = editMint((mint) => mint.writeBigUInt64LE(2n ** 63n, 36))
  expect((await examineNodes({}, large)).text).toMatch(/^ok {4}token: .* is a token with six decimals/m)
  const noDatabase = { DATABASE_URL: 'postgres://me@127.0.0.1:1/farm', CLUSTER: 'local' }
  expect((await examineNodes(noDatabase, large)).text).toMatch(/FIX {3}token: .* than 9\.2 trillion tokens/)
})

test('a proxy that drops upgrades or refuses large requests is found', async () => {
  const broken = await startReverseProxy(gameUrl, { passesUpgrades: false, maxBodyBytes: 8_000 })
  const { text, count } = await examine({ PUBLIC_URL: broken.url })
  broken.close()
  expect(text).toMatch(/FIX {3}WebSocket: \S+\/ws does not open \([^)]+\) — let the proxy pass/)
  expect(text).toContain("FIX   body limit: a request of 15 kB is answered 413 — raise the proxy's limit")
  expect(count).toBe(2)
  const good = await startReverseProxy(gameUrl, {})
  expect((await examine({ PUBLIC_URL: good.url })).count).toBe(0)
  good.close()
})

test('a PUBLIC_URL that leads nowhere or is not encrypted, and a wrong TRUST_PROXY, are found', async () => {
  const { text } = await examine({ PUBLIC_URL: 'https://farm.invalid' })
  expect(text).toMatch(
    /FIX {3}PUBLIC_URL: https:\/\/farm\.invalid does not lead to the game \([^)]+\) — point its name/,
  )
  expect(text).toContain('FIX   TRUST_PROXY: it is off, although a proxy encrypts — set it')
  expect(text).toContain(
    `FIX   PUBLIC_URL: The signer serves ${new URL(gameUrl).origin}, and PUBLIC_URL is https://farm.invalid here. They have to agree — give api and signer`,
  )
  const open = await examine({ PUBLIC_URL: 'http://farm.invalid', TRUST_PROXY: '1' })
  expect(open.text).toContain(
    'FIX   PUBLIC_URL: http://farm.invalid is not encrypted — put a TLS proxy in front',
  )
  expect(open.text).toContain('FIX   TRUST_PROXY: it is set, although no proxy encrypts — remove it')
})

test('on a chain with real tokens a missing, old or failed backup needs an action', async () => {
  const other = await freshDatabase()
  const set = (name: string, value: object) =>
    runStatements(
      other.directUrl,
      `insert into settings (name, value, at) values ('${name}', '${JSON.stringify(value)}', now())
       on conflict (name) do update set value = excluded.value`,
    )
  await set('chain', { genesisHash: MAINNET, mint, treasury: mint, cluster: 'mainnet' })
  const examineBackup = async () => {
    const { lines } = await examine({
      DATABASE_URL: other.directUrl,
      BACKUP_DIR: join(folder.dataDir, 'gone'),
    })
    return lines.filter((line) => line.includes(' backup: '))
  }
  expect(await examineBackup()).toEqual([
    expect.stringContaining('FIX   backup: no backup was ever made — set BACKUP_DIR'),
    expect.stringMatching(/FIX {3}backup: BACKUP_DIR is \S+gone, which cannot be written/),
  ])
  await set('last_backup', { at: '2026-01-01T00:00:00.000Z' })
  await set('last_backup_failure', { at: '2026-01-02T00:00:00.000Z', reason: 'the disk is full' })
  await set('last_drill', { at: '2026-01-01T00:00:00.000Z', ok: false, problems: ['an entry is lost'] })
  const old = await examineBackup()
  const ofNodes = { ok: false, backup_ok: true, problems: ['no node answers'] }
  await set('last_drill', { at: '2026-01-01T00:00:00.000Z', ...ofNodes })
  const uncompared = await examineBackup()
  await other.drop()
  expect(old.slice(0, 3)).toEqual([
    expect.stringContaining('FIX   backup: the last one is from 2026-01-01'),
    expect.stringContaining('FIX   backup: it failed at 2026-01-02T00:00:00.000Z (the disk is full)'),
    expect.stringMatching(/FIX {3}backup: the drill at 2026-01-01T\S+ failed \(an entry is lost\) — make/),
  ])
  expect(uncompared[2]).toMatch(/ failed \(no node answers\) — the backup has no errors: drill it again when/)
})

test('a stopped game is examined, too', async () => {
  server.pressCtrlC()
  expect(await server.ended).toBe(0)
  const { text, count } = await examine()
  expect(text).toContain('ok    schema: ')
  expect(text).toMatch(/does not lead to the game \([^)]+\) — the game does not run here/)
  expect(count).toBe(0)
})
