import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { auditBooks } from '#server/ops/audit-books.ts'
import { openDb } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { applyWorld } from '#server/world/apply-world.ts'
import { readWorldFile } from '#server/world/world-config.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { findPostgresUser } from '#server/processes/postgres/postgres-user.ts'
import { createTestWorld } from '#tests/support/test-world.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { queryRows } from '#tests/support/test-postgres.ts'
import { unpackDebianProgram } from './debian-program.ts'

const PACKAGES = ['pgbackrest', 'libxml2', 'liblz4-1', 'libpq5', 'libicu72']
const BIN = '/usr/lib/postgresql/15/bin'
const SAMPLE = resolve(import.meta.dirname, '../../deploy/postgres/pgbackrest.conf')

const { uid, gid } = findPostgresUser()
const folder = mkdtempSync(join(tmpdir(), 'cotton-farm-archive-'))
const cluster = join(folder, 'main')
let server: ChildProcess | undefined

afterAll(async () => {
  await stopServer()
  rmSync(folder, { recursive: true })
})

function run(program: string, args: readonly string[], env: Record<string, string> = {}): string {
  const done = spawnSync(program, args, {
    uid,
    gid,
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  })
  expect([done.status, done.stdout + done.stderr], `${program} ${args.join(' ')}`).toEqual([
    0,
    expect.anything(),
  ])
  return done.stdout
}

async function startServer(url: string, env: Record<string, string>): Promise<void> {
  server = spawn(join(BIN, 'postgres'), ['-D', cluster], { uid, gid, env, stdio: 'ignore' })
  // Recovery ends when the server accepts writes again.
  const isWritable = () =>
    queryRows<{ waiting: boolean }>(url, 'select pg_is_in_recovery() as waiting').catch(() => [])
  await waitFor('Postgres', async () => (await isWritable())[0]?.waiting === false)
}

async function stopServer(): Promise<void> {
  if (!server || server.exitCode !== null) return
  const ended = new Promise((done) => server!.once('exit', done))
  server.kill('SIGINT')
  await ended
}

/** The sample of deploy/, with the folders of this test. */
function writeSettings(port: number): string {
  const path = join(folder, 'pgbackrest.conf')
  const text = readFileSync(SAMPLE, 'utf8')
    .replace('/var/lib/postgresql/15/main', cluster)
    .replace('5432', String(port))
    .replaceAll(
      /=(\/var\/\S+|\/tmp\/\S+)/g,
      (_all, place: string) => `=${folder}/${place.replaceAll('/', '-')}`,
    )
    .replace(/pg1-socket-path=.*/, `pg1-socket-path=${folder}`)
  writeFileSync(path, text.replace(/pg1-path=.*/, `pg1-path=${cluster}`))
  return path
}

test(
  'pgBackRest restores the ledger to the second before a mistake',
  { timeout: 120_000 },
  async ({ skip }) => {
    const program = unpackDebianProgram(PACKAGES, 'usr/bin/pgbackrest')
    if (!program || !existsSync(join(BIN, 'initdb')))
      return skip('needs pgbackrest and postgresql-15 of Debian 12')
    chmodSync(folder, 0o755)
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
    const port = await findFreePort()
    const config = writeSettings(port)
    const pgbackrest = (...args: string[]) =>
      run(
        program.path,
        [`--config=${config}`, '--stanza=farm', '--log-level-console=warn', '--log-level-file=off', ...args],
        program.env,
      )
    run(join(BIN, 'initdb'), ['-D', cluster, '--auth=trust', '--username=postgres', '--encoding=UTF8'])
    const archive = `LD_LIBRARY_PATH=${program.env.LD_LIBRARY_PATH} ${program.path} --config=${config} --stanza=farm archive-push %p`
    const settings = [
      `port = ${port}`,
      `unix_socket_directories = '${folder}'`,
      'archive_mode = on',
      `archive_command = '${archive}'`,
    ]
    writeFileSync(join(cluster, 'postgresql.auto.conf'), settings.join('\n'))
    const admin = `postgres://postgres@127.0.0.1:${port}/postgres`
    const url = `postgres://postgres@127.0.0.1:${port}/farm`
    await startServer(admin, program.env)
    await queryRows(admin, 'create database farm')
    await migrate({
      url,
      passwords: { api: 'a', watcher: 'a', signer: 'a', console: 'a', readonly: 'a' },
      ownCluster: true,
    })
    await applyWorld(url, readWorldFile({ worldFile: '', dataDir: folder }))
    pgbackrest('stanza-create')
    pgbackrest('backup', '--type=full')

    const db = openDb(url, { max: 2, applicationName: 'test' })
    const world = createTestWorld(db, {
      url,
      directUrl: url,
      environment: {},
      urlFor: () => url,
      directUrlFor: () => url,
    })
    const player = await world.player({ deposited: 100_000 })
    await world.hire(player, 'kid')
    // pgBackRest compares whole seconds: the target has to be later than the end of the base backup.
    await queryRows(url, 'select pg_sleep(2)')
    const [before] = await queryRows<{ at: string }>(url, `select clock_timestamp()::text as at`)
    await queryRows(url, 'select pg_sleep(1)')
    await queryRows(url, 'update workers set claimed = claimed + 1000000000000; select pg_switch_wal()')
    expect(await auditBooks(db)).not.toEqual([])
    await db.end()

    await stopServer()
    pgbackrest('restore', '--delta', '--type=time', `--target=${before!.at}`, '--target-action=promote')
    await startServer(admin, program.env)
    const restored = openDb(url, { max: 2, applicationName: 'test', allowFullScans: true })
    try {
      expect(await auditBooks(restored)).toEqual([])
      const workers = await queryRows(
        url,
        `select claimed::text from workers where wallet = '${player.wallet}'`,
      )
      expect(workers).toEqual([{ claimed: '0' }])
    } finally {
      await restored.end()
    }
  },
)
