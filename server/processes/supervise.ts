import { watch } from 'node:fs'
import { join } from 'node:path'
import { supervisePostgres } from './supervise-postgres.ts'
import { type SupervisedProcess, superviseProcess } from './supervise-process.ts'
import { type Config, graceMsOf, readConfig } from '#server/platform/config.ts'
import { applyWorld } from '#server/world/apply-world.ts'
import { readOperators } from '#server/operators/read-operators.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { readPasswords, type RoleName, withLogin } from '#server/platform/db/roles.ts'
import { METRICS_ROLES } from '#server/platform/metrics/metric-table.ts'
import { lockFolder, prepareFolder } from './lock-folder.ts'
import type { Log } from '#server/platform/log.ts'
import { reservePort, findFreePort } from './ports.ts'
import { requireSpace } from './require-space.ts'
import { type OfferedWorld, readWorldFile } from '#server/world/world-config.ts'
import { chainEnvironment, metricsPortOf, roleEnvironment, type SharedSettings } from './role-environment.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { permissionFlags } from './role-permissions.ts'

interface SuperviseOptions {
  config: Config
  log: Log
  /** Prints a sentence to the terminal. */
  say(sentence: string): void
  /** Restarts the api when its code changes. */
  watchCode: boolean
}

interface RunningGame {
  /** Stops everything, in reverse order of the start. */
  stop(): Promise<void>
}

// A previous instance that was killed together with npm may still be stopping.
const lockWaitMs = 3000
const loopback = '127.0.0.1'

/**
 * Runs the whole game: locks the data folder, starts the embedded database and the local chain unless others are
 * configured, migrates the database, and supervises each role as a child process. `started` settles when the game is
 * reachable. `stop` may be called at any time.
 */
export function supervise(options: SuperviseOptions): RunningGame & { started: Promise<void> } {
  const closers: (() => Promise<void> | void)[] = []
  const stopped = Promise.withResolvers<never>()
  stopped.promise.catch(() => undefined)
  const started = start(options, { closers, stopped: stopped.promise })
  let ending: Promise<void> | undefined
  const stopAll = async () => {
    stopped.reject(new Error('Stopped while starting'))
    await started.catch(() => undefined)
    for (const close of closers.toReversed()) await close()
  }
  return { started, stop: () => (ending ??= stopAll()) }
}

interface StartContext {
  closers: (() => Promise<void> | void)[]
  /** Rejects when the start is cancelled. */
  stopped: Promise<never>
}

async function start(
  { config: requested, log, say, watchCode }: SuperviseOptions,
  context: StartContext,
): Promise<void> {
  const world = readWorldFile(requested)
  prepareFolder(requested.dataDir)
  if (requested.databaseUrl === '') requireSpace(requested.dataDir)
  const lockedMessage = `Another Cotton Farm already runs on ${requested.dataDir}: stop it, or set DATA_DIR to another folder.`
  context.closers.push(lockFolder(requested.dataDir, { name: 'server', lockedMessage, waitMs: lockWaitMs }))
  const config = await reservePorts(requested)
  // Chain and database start concurrently.
  const local = config.solanaRpcUrls.length > 0 ? undefined : superviseChain(config, log)
  if (local) context.closers.push(() => local.stop())
  const logins = await openDatabase(config, { log, say, context, world })
  const chain = local ? await awaitLocalChain(local, context) : solanaChain(config)
  const roleOf = (role: Exclude<RoleName, 'readonly'>) =>
    superviseRole(role, { config, chain, ...logins(role) }, log)
  const backgroundRoles = [roleOf('signer'), roleOf('watcher')]
  context.closers.push(async () => void (await Promise.all(backgroundRoles.map((role) => role.stop()))))
  const api = roleOf('api')
  context.closers.push(() => api.stop())
  const consoles = hasConsole(config, say) ? [roleOf('console')] : []
  context.closers.push(async () => void (await Promise.all(consoles.map((role) => role.stop()))))
  await Promise.race([
    Promise.all([api, ...backgroundRoles, ...consoles].map(({ ready }) => ready)),
    context.stopped,
  ])
  if (watchCode) context.closers.push(restartOnChange(api))
  if (consoles.length > 0) say(`The operators’ console: ${config.consoleUrl}`)
  say(`Cotton Farm is ready: ${config.publicUrl}`)
}

/** The console runs only if it has a port and somebody may use it. */
function hasConsole({ consolePort, operatorsFile }: Config, say: (sentence: string) => void): boolean {
  if (consolePort === 0) return false
  const { problem } = readOperators(operatorsFile)
  if (problem !== null) say(`The operators’ console is off: ${problem}`)
  return problem === null
}

const superviseChain = (config: Config, log: Log): SupervisedProcess =>
  superviseProcess({ role: 'local-chain', env: chainEnvironment(config), log, graceMs: graceMsOf(config) })

/** A role gets only its own environment, and its flags confine it to that. */
function superviseRole(
  role: Exclude<RoleName, 'readonly'>,
  shared: SharedSettings,
  log: Log,
): SupervisedProcess {
  const env = roleEnvironment(role, shared)
  const flags = permissionFlags(role, readConfig(env, role))
  return superviseProcess({ role, env, flags, log, graceMs: graceMsOf(shared.config) })
}

async function reservePorts(config: Config): Promise<Config> {
  const isLocal = config.solanaRpcUrls.length === 0
  const port = config.port || (await findFreePort())
  const metricsRoles = isLocal ? METRICS_ROLES : METRICS_ROLES.filter((role) => role !== 'local-chain')
  const metricsPorts = config.metricsPort ? metricsRoles.map((role) => metricsPortOf(role, config)) : []
  const chainPort = config.chainPort || (await findChainPort([port, ...metricsPorts]))
  const others = [port, config.consolePort, ...(isLocal ? [chainPort, chainPort + 1] : [])]
  const conflict = metricsPorts.find((each) => others.includes(each) || each > 65_535)
  if (conflict)
    throw new StartupError(
      `METRICS_PORT is ${config.metricsPort}: with the ports of the other roles after it, ${conflict} would be used twice or is too high. Set it to another port.`,
    )
  await reservePort(port, { settings: ['PORT', 'HOST'], host: config.host })
  if (isLocal) await reservePort(chainPort, { settings: ['CHAIN_RPC_PORT'], host: loopback })
  if (config.consolePort !== 0)
    await reservePort(config.consolePort, {
      settings: ['CONSOLE_PORT', 'CONSOLE_HOST'],
      host: config.consoleHost,
    })
  for (const metricsPort of metricsPorts)
    await reservePort(metricsPort, { settings: ['METRICS_PORT', 'METRICS_HOST'], host: config.metricsHost })
  const publicUrl = config.port === port ? config.publicUrl : config.publicUrl.replace(/:0$/, `:${port}`)
  return { ...config, port, chainPort, publicUrl }
}

/** The chain also uses the next port. */
async function findChainPort(taken: number[]): Promise<number> {
  for (;;) {
    const port = await findFreePort(2)
    if (!taken.includes(port) && !taken.includes(port + 1)) return port
  }
}

interface DatabaseOptions {
  log: Log
  say(sentence: string): void
  context: StartContext
  world: OfferedWorld
}

/** Opens the database, migrates it and applies the operator's world. Returns the URLs of each role. */
async function openDatabase(config: Config, { log, say, context, world }: DatabaseOptions) {
  const ownCluster = config.databaseUrl === ''
  let [pooledUrl, url] = [config.databaseUrl, config.databaseDirectUrl]
  if (ownCluster) {
    const postgres = await supervisePostgres({ dataDir: config.dataDir, log, onProgress: say })
    context.closers.push(() => postgres.stop())
    pooledUrl = url = postgres.url
  }
  const passwords = readPasswords({ env: process.env, secretsDir: join(config.dataDir, 'secrets') })
  const waitMs = config.databaseWaitMs
  const onWait = (reason: string) => say(`Waiting ${waitMs / 1000} s at most for the database: ${reason} …`)
  const migrating = migrate({ url, passwords, ownCluster, waitMs, onWait })
  const applied = await Promise.race([migrating, context.stopped])
  await Promise.race([applyWorld(url, world), context.stopped])
  if (applied.length > 0) log.info({ applied }, 'The database schema is up to date')
  return (name: RoleName) => {
    const login = { name, password: passwords[name] }
    return { databaseUrl: withLogin(pooledUrl, login), databaseDirectUrl: withLogin(url, login) }
  }
}

const solanaChain = ({ solanaRpcUrls, cottonMint }: Config) => ({
  urls: solanaRpcUrls,
  mint: cottonMint,
  isLocal: false,
})

async function awaitLocalChain({ ready }: SupervisedProcess, { stopped }: StartContext) {
  const { url = '', mint = '' } = await Promise.race([ready, stopped])
  return { urls: [url], mint, isLocal: true }
}

/** Editors and git change several files at once; one restart covers them all. */
function restartOnChange(api: SupervisedProcess): () => void {
  let timer: NodeJS.Timeout | undefined
  const root = join(import.meta.dirname, '../..')
  const watchers = ['server', 'contract', 'game'].map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, name) => {
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
