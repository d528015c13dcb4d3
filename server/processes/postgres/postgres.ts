import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { findFreePort } from '../ports.ts'
import { changeDatabaseUrl } from '#server/platform/db/database-url.ts'
import { INVALID_PASSWORD } from '#server/platform/db/error-codes.ts'
import { readOrMakeSecret, readSecret } from '#server/platform/secrets.ts'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'
import { findBinaries } from './postgres-binaries.ts'
import { findPostgresUser, grantFolderAccess, type PostgresUser } from './postgres-user.ts'
import { clusterNameOf, stopOrphan } from './stop-orphan.ts'

export interface Postgres {
  /** Connects as the owner to the game's database. */
  url: string
  /** A fast shutdown: open transactions are rolled back, everything is on disk. */
  stop(): Promise<void>
  /** Settles when the server has exited, whether requested or not. */
  ended: Promise<void>
}

interface PostgresOptions {
  /** The cluster is `dataDir/postgres`, the owner's password is in `dataDir/secrets/database-owner`. */
  dataDir: string
  /** A free port by default. */
  port?: number
  /** Additional `name=value` settings. */
  settings?: string[]
  /** Called before a step that takes a while. */
  onProgress?: (sentence: string) => void
}

const ownerSecret = 'database-owner'
const database = 'cotton_farm'
const maxLogBytes = 10_000_000

/**
 * Starts the embedded Postgres from npm, on 127.0.0.1 only. The first start creates its cluster. The caller holds the lock
 * of `dataDir`. A `StartupError` if the folder is not usable or Postgres does not start.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const owner = findPostgresUser()
  const bin = findBinaries(owner)
  const folder = realpathSync(options.dataDir)
  const user = grantFolderAccess(folder, owner)
  const cluster = join(folder, 'postgres')
  const password = readOrMakeSecret(join(folder, 'secrets'), ownerSecret)
  await stopOrphan(cluster)
  if (!existsSync(cluster)) {
    options.onProgress?.('Creating the database (first start only) …')
    makeCluster({ bin, cluster, password, user, owner })
  }
  const port = options.port ?? (await findFreePort())
  const url = ownerUrl({ password, port })
  const settings = [
    `cluster_name=${clusterNameOf(cluster)}`,
    ...baseSettings(folder),
    ...(options.settings ?? []),
  ]
  const running = spawnPostgres({ bin, cluster, port, settings, user })
  await waitUntilReady({ running, url, secret: join(folder, 'secrets', ownerSecret) })
  const postgres = running.handle(url)
  try {
    await makeDatabase(url)
  } catch (error) {
    // Nobody knows of it yet, and it would go on without its supervisor.
    await postgres.stop()
    throw notMade(folder, error instanceof Error ? error.message : String(error))
  }
  return postgres
}

/** What it writes goes to the same disk. */
const NOT_LOGGED = 'it wrote no reason into postgres.log, as on a full disk.'

const notMade = (folder: string, reason: string) =>
  new StartupError(`The database could not be made in ${folder}: ${reason}`)

/** The owner's URL of the Postgres that runs in `dataDir`; undefined if none does. */
export function findRunningPostgres(dataDir: string): string | undefined {
  const password = readSecret(join(dataDir, 'secrets'), ownerSecret)
  const port = readPidFile(join(dataDir, 'postgres'))[3]
  if (password === undefined || port === undefined) return undefined
  return ownerUrl({ password, port: Number(port) })
}

/** Line 4 of the file is the port, line 8 the state, as in `pidfile.h` of Postgres. No line if there is no file. */
function readPidFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

const ownerUrl = ({ password, port }: { password: string; port: number }) =>
  `postgres://owner:${password}@127.0.0.1:${port}/${database}`

const MB = 1024 * 1024
const GB = 1024 * MB

/**
 * `shared_buffers` in MB: a quarter of the memory that this process may use, as the Postgres manual suggests, at most
 * 8 GB. The memory is allocated on use. In a large ledger a move touches pages far apart, and a page that has to be read
 * from the system costs more than the rest of the work on it.
 */
export function sharedBuffersMb({ memory, allowed }: { memory: number; allowed: number }): number {
  // `allowed` is 0 without a memory limit. A container's limit may be below the memory of the machine.
  const usable = allowed > 0 ? Math.min(memory, allowed) : memory
  return Math.min(8192, Math.max(128, Math.floor(usable / 4 / MB)))
}

/**
 * `max_wal_size` in GB: an eighth of the disk, at most 8. After each checkpoint the first change of a page is logged as a
 * full page, so fewer checkpoints write less.
 */
export function maxWalGb(diskBytes: number): number {
  return Math.min(8, Math.max(1, Math.floor(diskBytes / 8 / GB)))
}

// No unix socket: a kill would leave its file behind.
const baseSettings = (folder: string): string[] => {
  const disk = statfsSync(folder)
  const walGb = maxWalGb(disk.blocks * disk.bsize)
  return [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'log_min_messages=warning',
    `shared_buffers=${sharedBuffersMb({ memory: totalmem(), allowed: process.constrainedMemory() })}MB`,
    `max_wal_size=${walGb}GB`,
    // WAL files are recycled: creating a new one delays every commit, by 40 ms when measured.
    `min_wal_size=${walGb * 256}MB`,
    'checkpoint_timeout=15min',
  ]
}

interface ClusterOptions {
  bin: string
  cluster: string
  password: string
  user: PostgresUser
  /** The owner of the files. */
  owner: PostgresUser
}

/** Created in a temporary folder and moved when complete, so that a kill leaves no partial cluster. */
function makeCluster({ bin, cluster, password, user, owner }: ClusterOptions): void {
  const draft = `${cluster}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  const passwordFile = `${draft}.password`
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (owner.uid !== undefined && owner.gid !== undefined) {
    chownSync(draft, owner.uid, owner.gid)
    chownSync(passwordFile, owner.uid, owner.gid)
  }
  const flags = [
    '--username=owner',
    '--auth=scram-sha-256',
    '--data-checksums',
    '--encoding=UTF8',
    '--locale=C',
  ]
  const builtin = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const [program = '', ...args] = [
    ...user.prefix,
    join(bin, 'initdb'),
    `--pgdata=${draft}`,
    `--pwfile=${passwordFile}`,
  ]
  const made = spawnSync(program, [...args, ...flags, ...builtin], {
    ...idsOf(user),
    cwd: '/',
    encoding: 'utf8',
    env: plainEnvironment,
  })
  rmSync(passwordFile)
  if (made.status !== 0) throw notMade(dirname(cluster), reasonOf(made))
  renameSync(draft, cluster)
}

/** Why `initdb` failed. Its last lines say what it removes. A program that cannot be run writes nothing. */
function reasonOf({ stderr, error }: { stderr: string | null; error?: Error | undefined }): string {
  const lines = (stderr ?? '').trim().split('\n')
  const failure = lines.find((line) => /\b(?:FATAL|PANIC|error): /.test(line))
  return failure ?? error?.message ?? lines.at(-1) ?? ''
}

// PG* variables from the operator's shell would redirect it.
const plainEnvironment = { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' }

const idsOf = ({ uid, gid }: PostgresUser) => (uid === undefined ? {} : { uid, gid })

interface RunOptions {
  bin: string
  cluster: string
  port: number
  settings: string[]
  user: PostgresUser
}

function spawnPostgres({ bin, cluster, port, settings, user }: RunOptions) {
  const logFile = join(dirname(cluster), 'postgres.log')
  if (existsSync(logFile) && statSync(logFile).size > maxLogBytes) renameSync(logFile, `${logFile}.old`)
  const log = openSync(logFile, 'a', 0o600)
  const logStart = statSync(logFile).size
  const flags = settings.flatMap((setting) => ['-c', setting])
  // Detached: Ctrl-C reaches the whole process group, but Postgres has to stop last.
  const [program = '', ...args] = [...user.prefix, join(bin, 'postgres'), '-D', cluster, '-p', String(port)]
  const child = spawn(program, [...args, ...flags], {
    ...idsOf(user),
    cwd: '/',
    detached: true,
    env: plainEnvironment,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  return {
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined,
    // The file of an earlier Postgres was removed before the start. Without its port, Postgres ends before it writes this.
    isReady: () => readPidFile(cluster)[7]?.trim() === 'ready',
    lastLogLines: () =>
      readFileSync(logFile).subarray(logStart).toString().trim().split('\n').slice(-3).join(' | '),
    handle: (url: string): Postgres => ({ url, ended, stop: () => stop(child, ended) }),
  }
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGINT')
  // After a while, an immediate shutdown. It costs a recovery at the next start, but no data.
  const killTimer = setTimeout(() => child.kill('SIGQUIT'), 15_000)
  await ended
  clearTimeout(killTimer)
}

interface WaitOptions {
  running: ReturnType<typeof spawnPostgres>
  url: string
  /** The file with the password in the URL. */
  secret: string
}

/**
 * Recovery of a large database can take minutes, so the wait ends only when the process exits, or when it is ready and
 * refuses the password.
 */
async function waitUntilReady({ running, url, secret }: WaitOptions): Promise<void> {
  for (;;) {
    if (running.hasEnded()) {
      throw new StartupError(`The built-in Postgres did not start: ${running.lastLogLines() || NOT_LOGGED}`)
    }
    // Another program may have taken the port meanwhile, and must not be sent the owner's password: code in an api that was
    // taken over can end Postgres and then listen there.
    const failure = running.isReady() ? await tryToConnect(url) : undefined
    if (failure === null) return
    if (errorCode(failure) === INVALID_PASSWORD) {
      await running.handle(url).stop()
      throw new StartupError(
        `${secret} does not contain the password of the database beside it: put the file back from where the data folder came, or follow "A lost password" in docs/runbooks/game-down.md.`,
      )
    }
    await sleep(30)
  }
}

/** Connects once. Returns why that failed; null if it did not. */
async function tryToConnect(url: string): Promise<unknown> {
  const client = newClient(url, { connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    return null
  } catch (error) {
    return error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Postgres may be killed at any moment. Without a listener the lost connection would end this process, and all roles with it. */
function newClient(url: string, options: Pick<ClientConfig, 'connectionTimeoutMillis'> = {}): Client {
  const client = new Client({ ...options, connectionString: withDatabase(url, 'postgres') })
  client.on('error', () => undefined)
  return client
}

async function makeDatabase(url: string): Promise<void> {
  const client = newClient(url)
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${database}`)
  } finally {
    await client.end()
  }
}

/** The URL with the same server and login and another database. */
export function withDatabase(url: string, name: string): string {
  return changeDatabaseUrl(url, (parsed) => Object.assign(parsed, { pathname: `/${name}` }))
}
