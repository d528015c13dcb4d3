import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type Config, graceMsOf, readConfig } from './platform/config.ts'
import { systemClock } from './platform/clock.ts'
import { escapeControls } from './platform/escape-controls.ts'
import { explainFullDisk } from './platform/explain-full-disk.ts'
import { type Log, makeLog } from './platform/log.ts'
import type { ExclusiveRole, RoleTerm } from './platform/role-term.ts'
import { assertNodeVersion } from './processes/node-version.ts'
import { stopOnShutdown, notifyParent, onParentExit } from './processes/parent-process.ts'
import {
  errorCode,
  OutageStartupError,
  PassingStartupError,
  StartupError,
} from '#server/platform/startup-error.ts'

interface Role {
  stop(): Promise<void>
  /** Facts that the supervisor passes to the other roles. */
  facts?: Record<string, string>
  /** Rejects if the role finds out after its start that it must not run. */
  failed?: Promise<void>
}

type StartRole = (config: Config, log: Log, signal: AbortSignal) => Promise<Role>

// Each role loads only its own code: the api never imports the signer.
const roles = new Map<string, StartRole>([
  ['api', async (config, log) => (await import('./app.ts')).startApi(config, log)],
  ['watcher', startWatcher],
  ['signer', startSigner],
  ['console', async (config, log) => (await import('./console/start-console.ts')).startConsole(config, log)],
  ['local-chain', startLocalChain],
])

const databaseRoles = ['api', 'watcher', 'signer', 'console'] as const

const commands = new Map<string, (args: string[]) => Promise<void>>([
  ['all', runAll],
  ['migrate', runMigrate],
  ['ops', runOps],
])

async function startSigner(config: Config, log: Log, signal: AbortSignal): Promise<Role> {
  await lockRole(config, 'signer')
  const { startSigner: start } = await import('#server/signer/start-signer.ts')
  const { nameFolder } = await import('./processes/name-folder.ts')
  // The lock of the folder proves that an earlier signer in this place has ended.
  const holder = nameFolder(config.dataDir)
  return startExclusively('signer', { config, log, holder, signal }, (term) =>
    start(config, log, { env: process.env, term }),
  )
}

type ExclusiveOptions = { config: Config; log: Log; holder: string; signal: AbortSignal }

/**
 * Stands by while another process does the work of the role, then starts it. A process that was paused or cut off, and finds
 * that another has taken over, ends: nothing of its memory is used again. So does one whose database has lost commits, and a
 * signer that could not renew its term for so long that both may have happened.
 */
async function startExclusively(
  role: ExclusiveRole,
  { config, log, holder, signal }: ExclusiveOptions,
  start: (term: RoleTerm) => Promise<Role>,
): Promise<Role> {
  const [{ startWork, takeTerm, TermLostError }, { openDb }] = await Promise.all([
    import('./platform/role-term.ts'),
    import('./platform/db/db.ts'),
  ])
  const db = openDb(config.databaseUrl, { max: 1, applicationName: `${role}-term` })
  // The rest of the game need not wait for it.
  const onStandBy = () => void notifyParent({ type: 'ready', facts: {} })
  const term = await takeTerm({ db, role, holder, log, signal, onStandBy })
  const ended = term.lost.then(async () => {
    const sentence = `Another ${role} has taken over, or the database has lost commits or was out of reach. This one ends.`
    // Also while the game starts: its next process takes the term, or stands by.
    await notifyParent({ type: 'problem', sentence, mayPass: true })
    if (!process.connected) process.stderr.write(`${sentence}\n`)
    return process.exit(1)
  })
  const running = await startWork(term, start).catch((error: unknown) => {
    if (error instanceof TermLostError) return ended
    throw error
  })
  return {
    async stop() {
      await running.stop()
      await term.end({ release: true })
      await db.end()
    },
  }
}

async function startWatcher(config: Config, log: Log, signal: AbortSignal): Promise<Role> {
  // A supervisor runs one watcher: its next one need not wait for the last.
  const holder = `${hostname()}:${process.env.SUPERVISOR_ID ?? randomUUID()}`
  return startExclusively('watcher', { config, log, holder, signal }, () => startWatching(config, log))
}

/** Watches the chain for deposits and unsupported tokens, and checks whether the tokens cover what is owed. */
async function startWatching(config: Config, log: Log): Promise<Role> {
  const { startWatcher: watchDeposits } = await import('./deposits/watch-deposits.ts')
  const { startForeignWatch } = await import('./deposits/watch-foreign-accounts.ts')
  const { startSolvencyWatch } = await import('./solvency/watch-solvency.ts')
  const deposits = await watchDeposits(config, log)
  const foreign = await startForeignWatch(config, log)
  const solvency = await startSolvencyWatch(config, log)
  const { startMonitoring } = await import('./monitoring/start-monitoring.ts')
  const running = [deposits, foreign, solvency, await startMonitoring(config, log)]
  return { stop: async () => void (await Promise.all(running.map((each) => each.stop()))) }
}

async function startLocalChain(config: Config, log: Log): Promise<Role> {
  const { dataDir, chainPort } = config
  await lockRole({ dataDir }, 'local-chain')
  const { startLocalChain: start } = await import('#local-chain/run-local-chain.ts')
  const { url, mint, stop } = await start({
    dir: dataDir,
    port: chainPort,
    log: (message, details) => log.warn({ ...details }, message),
  })
  const { serveMetrics } = await import('./platform/metrics/serve-metrics.ts')
  const isReady = async () => ({ ready: true })
  const metrics = await serveMetrics({ ...config, role: 'local-chain', isReady })
  return {
    facts: { url, mint },
    async stop() {
      await metrics.stop()
      await stop()
    },
  }
}

/** Waits for a previous process that lost its supervisor to exit. Two at once would sign or write twice. */
async function lockRole({ dataDir }: Pick<Config, 'dataDir'>, role: string): Promise<void> {
  // Imported here only, so that the roles that face the internet run without SQLite.
  const { lockFolder, prepareFolder } = await import('./processes/lock-folder.ts')
  prepareFolder(dataDir)
  lockFolder(dataDir, {
    name: role,
    lockedMessage: `Another ${role} already runs on ${dataDir}.`,
    waitMs: 5000,
  })
}

async function runRole(name: string, start: StartRole): Promise<void> {
  const config = readConfig(process.env, name)
  if (name !== 'local-chain') requireBackends(name, config)
  const log = makeLog({ role: name, level: config.logLevel })
  const stopping = new AbortController()
  const starting = startWithDatabase(name, { config, log, signal: stopping.signal, start })
  stopOnShutdown(
    async () => {
      stopping.abort()
      await (await starting.catch(() => undefined))?.stop()
    },
    { graceMs: graceMsOf(config) },
  )
  const role = await starting.catch((error: unknown) => {
    if (!stopping.signal.aborted) throw explainFullDisk(error, config.dataDir) ?? error
  })
  if (!role) return
  await notifyParent({ type: 'ready', facts: role.facts ?? {} })
  await role.failed
}

interface StartOptions {
  config: Config
  log: Log
  signal: AbortSignal
  start: StartRole
}

/** Every role except the local chain waits for the database. */
async function startWithDatabase(name: string, { config, log, signal, start }: StartOptions): Promise<Role> {
  const role = databaseRoles.find((each) => each === name)
  if (role) {
    const { checkLogin } = await import('./platform/db/check-login.ts')
    const { databaseUrl, databaseDirectUrl, databaseWaitMs: waitMs } = config
    const onWait = (reason: string) =>
      log.warn({ reason, waitMs }, 'the database is unreachable; waiting for it')
    if (role !== 'signer' && !process.permission)
      log.warn(`this ${role} is not confined: "npm run ops -- env ${role}" prints NODE_OPTIONS for it`)
    const shared = { role, waitMs, onWait, signal }
    const hasPooler = databaseDirectUrl !== databaseUrl
    await checkLogin({ ...shared, url: databaseUrl, needsSession: role === 'api' && !hasPooler })
    if (hasPooler)
      await checkLogin({ ...shared, url: databaseDirectUrl, setting: DIRECT_URL, needsSession: true })
  }
  return start(config, log, signal).catch(async (error: unknown) => {
    const { isDatabaseUnavailable } = await import('./platform/db/unavailable.ts')
    if (!role || !(error instanceof Error) || !isDatabaseUnavailable(error)) throw error
    throw new PassingStartupError(
      `The database was lost while the role ${role} started (${error.message}): start it again.`,
    )
  })
}

const DIRECT_URL = 'DATABASE_DIRECT_URL'

function requireBackends(role: string, config: Config): void {
  const missing = !config.databaseUrl
    ? 'DATABASE_URL'
    : config.solanaRpcUrls.length === 0 && role !== 'console'
      ? 'SOLANA_RPC_URL'
      : undefined
  if (missing)
    throw new StartupError(`${missing} is missing: the role ${role} needs it when it runs on its own.`)
}

async function runAll(args: string[]): Promise<void> {
  const config = readConfig(process.env)
  if (config.backupRecipient !== '') {
    const { checkRecipient } = await import('./backup/check-recipient.ts')
    checkRecipient(config.backupRecipient)
  }
  const { supervise } = await import('./processes/supervise.ts')
  const log = makeLog({ role: 'all', level: config.logLevel })
  const game = supervise({ config, log, say: print, watchCode: args.includes('--watch') })
  let stopRequested = false
  let backups: { stop(): Promise<void> } | undefined
  const stopGame = () => {
    stopRequested = true
    void Promise.resolve(backups?.stop())
      .then(() => game.stop())
      .then(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopGame)
  if (process.env.npm_lifecycle_event) onParentExit(stopGame)
  try {
    await game.started
    if (config.backupIntervalMs > 0 && !stopRequested) {
      const { scheduleBackups } = await import('./backup/schedule-backups.ts')
      backups = scheduleBackups({ config, clock: systemClock, log })
    }
  } catch (error) {
    if (stopRequested) return
    await game.stop()
    throw explainFullDisk(error, config.dataDir) ?? error
  }
}

async function runMigrate(): Promise<void> {
  const { migrateOnce } = await import('./processes/use-database.ts')
  const config = readConfig(process.env)
  const applied = await migrateOnce(config).catch((error: unknown) => {
    throw explainFullDisk(error, config.dataDir) ?? error
  })
  print(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.')
}

async function runOps(args: string[]): Promise<void> {
  // The reader of a pipe may end first, as `head` does. The work goes on. An output file that is not whole is a failure.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (errorCode(error) !== 'EPIPE') process.exitCode = 1
    })
  try {
    await runOperatorCommand(args)
  } catch (error) {
    const { explainQueryError } = await import('./platform/db/explain-query-error.ts')
    throw explainQueryError(error) ?? error
  }
}

async function runOperatorCommand(args: string[]): Promise<void> {
  const config = readConfig(process.env)
  const [name = 'help', ...rest] = args
  if (name === 'help' || args.includes('--help')) return (await import('./ops/ops.ts')).showCommands(print)
  if (name === 'env') {
    const { printEnvironment } = await import('./processes/print-environment.ts')
    return printEnvironment(rest, { config, say: print })
  }
  if (name === 'backup' || name === 'restore' || name === 'drill') {
    const { runBackupCommand } = await import('./backup/commands.ts')
    return runBackupCommand(name, rest, config)
  }
  if (name === 'doctor' || name === 'upgrade-check') return examine(name, rest, config)
  const [{ useDatabase }, { runOps: run }] = await Promise.all([
    import('./processes/use-database.ts'),
    import('./ops/ops.ts'),
  ])
  await useDatabase(config, (databaseUrl) => run(args, { ...config, databaseUrl }))
}

async function examine(name: 'doctor' | 'upgrade-check', args: string[], config: Config): Promise<void> {
  const [{ MAIN_USAGE }, { readArguments }] = await Promise.all([
    import('./ops/main-usage.ts'),
    import('./ops/read-arguments.ts'),
  ])
  const { flags } = readArguments(args, MAIN_USAGE[name])
  if (name === 'doctor') return runDoctor(config)
  const [{ useDatabase }, { checkUpgrade }] = await Promise.all([
    import('./processes/use-database.ts'),
    import('./ops/upgrade-check.ts'),
  ])
  await useDatabase(config, (url) => checkUpgrade({ url, say: print, measure: flags.has('measure') }))
}

async function runDoctor(config: Config): Promise<void> {
  const { useDatabase } = await import('./processes/use-database.ts')
  const { runDoctor: run } = await import('./ops/doctor/doctor.ts')
  const count = await run({
    config,
    env: process.env,
    now: () => systemClock.now(),
    say: (line) => print(escapeControls(line)),
    useDatabase: (work) => useDatabase(config, work),
  })
  process.exitCode = count > 0 ? 1 : 0
}

const print = (sentence: string) => process.stdout.write(`${sentence}\n`)

async function main([name = 'all', ...args]: string[]): Promise<void> {
  assertNodeVersion()
  const role = roles.get(name)
  const command = commands.get(name)
  if (role) return runRole(name, role)
  if (command) return command(args)
  const known = [...roles.keys(), ...commands.keys()].join(', ')
  throw new StartupError(`There is no role "${name}": it is one of ${known}.`)
}

// A command, and what else is started without NO_DEBUGGER, must not be reached by a debugger either.
process.on('SIGUSR1', () => undefined)

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  const mayPass = error instanceof PassingStartupError
  const isOutage = error instanceof OutageStartupError
  await notifyParent({ type: 'problem', sentence: error.message, mayPass, isOutage })
  if (!process.connected) process.stderr.write(`${escapeControls(error.message)}\n`)
  process.exit(1)
}
