import { watch } from 'node:fs'
import { join } from 'node:path'
import { keepPostgres } from './keep-postgres.ts'
import { keepRunning } from './keep-running.ts'
import type { KeptRole } from './keep-running.ts'
import { type Config, graceMsOf, readConfig } from '#server/platform/config.ts'
import { applyWorld } from '#server/world/apply-world.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { readPasswords, withLogin } from '#server/platform/db/roles.ts'
import type { RoleName } from '#server/platform/db/roles.ts'
import { lockFolder, prepareFolder } from './lock-folder.ts'
import type { Log } from '#server/platform/log.ts'
import { claimPort, findFreePort } from './ports.ts'
import { type OfferedWorld, readWorldFile } from '#server/world/world-config.ts'
import { chainEnvironment, roleEnvironment, type Shared } from './role-environment.ts'
import { permissionFlags } from './role-permissions.ts'

interface SuperviseOptions {
  config: Config
  log: Log
  /** Tells the person at the terminal. */
  say(sentence: string): void
  /** Restarts the api when its code changes. */
  watchCode: boolean
}

interface Running {
  /** Ends everything, last started first. */
  stop(): Promise<void>
}

// A predecessor that was killed together with its npm may still be stopping.
const lockWaitMs = 3000
const loopback = '127.0.0.1'

/**
 * Runs the whole game: takes the data folder, starts the built-in database and the local chain where no others are
 * set, brings the schema up to date and keeps the roles alive, each in a process of its own. `started` settles when
 * the game answers; `stop` may be called at any moment.
 */
export function supervise(options: SuperviseOptions): Running & { started: Promise<void> } {
  const closers: (() => Promise<void> | void)[] = []
  const stopped = Promise.withResolvers<never>()
  stopped.promise.catch(() => undefined)
  const started = start(options, { closers, stopped: stopped.promise })
  let ending: Promise<void> | undefined
  const end = async () => {
    stopped.reject(new Error('Stopped while starting'))
    await started.catch(() => undefined)
    for (const close of closers.toReversed()) await close()
  }
  return { started, stop: () => (ending ??= end()) }
}

interface Course {
  closers: (() => Promise<void> | void)[]
  /** Rejects when the start is called off. */
  stopped: Promise<never>
}

async function start(
  { config: wanted, log, say, watchCode }: SuperviseOptions,
  course: Course,
): Promise<void> {
  const world = readWorldFile(wanted)
  prepareFolder(wanted.dataDir)
  const held = `Another Cotton Farm already runs on ${wanted.dataDir}: stop it, or set DATA_DIR to another folder.`
  course.closers.push(lockFolder(wanted.dataDir, { name: 'server', held, waitMs: lockWaitMs }))
  const config = await claimPorts(wanted)
  // The chain gets ready while the database does.
  const local = config.solanaRpcUrls.length > 0 ? undefined : keepChain(config, log)
  if (local) course.closers.push(() => local.stop())
  const logins = await openDatabase(config, { log, say, course, world })
  const chain = local ? await localChain(local, course) : solanaChain(config)
  const roleOf = (role: Exclude<RoleName, 'readonly'>) =>
    keepRole(role, { config, chain, databaseUrl: logins(role) }, log)
  const workers = [roleOf('signer'), roleOf('watcher')]
  course.closers.push(async () => void (await Promise.all(workers.map((worker) => worker.stop()))))
  const api = roleOf('api')
  course.closers.push(() => api.stop())
  await Promise.race([Promise.all([api, ...workers].map(({ ready }) => ready)), course.stopped])
  if (watchCode) course.closers.push(restartOnChange(api))
  say(`Cotton Farm is ready: ${config.publicUrl}`)
}

const keepChain = (config: Config, log: Log): KeptRole =>
  keepRunning({ role: 'local-chain', env: chainEnvironment(config), log, graceMs: graceMsOf(config) })

/** A role reads in its environment what it may know, and its flags hold it to that. */
function keepRole(role: Exclude<RoleName, 'readonly'>, shared: Shared, log: Log): KeptRole {
  const env = roleEnvironment(role, shared)
  const flags = permissionFlags(role, readConfig(env))
  return keepRunning({ role, env, flags, log, graceMs: graceMsOf(shared.config) })
}

async function claimPorts(config: Config): Promise<Config> {
  const isLocal = config.solanaRpcUrls.length === 0
  const port = config.port || (await findFreePort())
  const chainPort = config.chainPort || (await findChainPort([port, config.metricsPort]))
  await claimPort(port, { setting: 'PORT', host: config.host })
  if (isLocal) await claimPort(chainPort, { setting: 'CHAIN_RPC_PORT', host: loopback })
  if (config.metricsPort) await claimPort(config.metricsPort, { setting: 'METRICS_PORT', host: loopback })
  const publicUrl = config.port === port ? config.publicUrl : config.publicUrl.replace(/:0$/, `:${port}`)
  return { ...config, port, chainPort, publicUrl }
}

/** The chain takes the next port, too. */
async function findChainPort(taken: number[]): Promise<number> {
  for (;;) {
    const port = await findFreePort()
    if (!taken.includes(port) && !taken.includes(port + 1)) return port
  }
}

interface DatabaseOptions {
  log: Log
  say(sentence: string): void
  course: Course
  world: OfferedWorld
}

/** A migrated database that offers the operator's world; answers each role's own URL. */
async function openDatabase(config: Config, { log, say, course, world }: DatabaseOptions) {
  const ownCluster = config.databaseUrl === ''
  let url = config.databaseUrl
  if (ownCluster) {
    const postgres = await keepPostgres({ dataDir: config.dataDir, log, onProgress: say })
    course.closers.push(() => postgres.stop())
    url = postgres.url
  }
  const passwords = readPasswords({ env: process.env, secretsDir: join(config.dataDir, 'secrets') })
  const waitMs = config.databaseWaitMs
  const onWait = (reason: string) => say(`Waiting ${waitMs / 1000} s at most for the database: ${reason} …`)
  const migrating = migrate({ url, passwords, ownCluster, waitMs, onWait })
  const applied = await Promise.race([migrating, course.stopped])
  await Promise.race([applyWorld(url, world), course.stopped])
  if (applied.length > 0) log.info({ applied }, 'The database schema is up to date')
  return (name: RoleName) => withLogin(url, { name, password: passwords[name] })
}

const solanaChain = ({ solanaRpcUrls, cottonMint }: Config) => ({
  urls: solanaRpcUrls,
  mint: cottonMint,
  isLocal: false,
})

async function localChain({ ready }: KeptRole, { stopped }: Course) {
  const { url = '', mint = '' } = await Promise.race([ready, stopped])
  return { urls: [url], mint, isLocal: true }
}

/** Several files change at once when an editor or git writes; one restart serves them all. */
function restartOnChange(api: KeptRole): () => void {
  let timer: NodeJS.Timeout | undefined
  const root = join(import.meta.dirname, '../..')
  const watchers = ['server', 'contract', 'game'].map((room) =>
    watch(join(root, room), { recursive: true }, (_event, name) => {
      if (!name || name.endsWith('.test.ts')) return
      clearTimeout(timer)
      timer = setTimeout(() => api.restart(), 100)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
