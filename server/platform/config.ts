import { join, resolve } from 'node:path'
import type { Cotton } from '#game/cotton.ts'
import { readSetting, type Setting } from './setting.ts'
import { type SettingName, SETTINGS } from './settings.ts'
import { StartupError } from './startup-error.ts'
import { readWithdrawalSettings, type WithdrawalSettings } from './withdrawal-settings.ts'

type Value<Name extends SettingName> = (typeof SETTINGS)[Name] extends Setting<infer Parsed> ? Parsed : never

export type LogLevel = Value<'LOG_LEVEL'>

export const LARGE_DEPOSIT = SETTINGS.LARGE_DEPOSIT.default

/** The parsed settings. Each field is the setting of the same name; `settings.ts` describes them. */
export interface Config {
  port: number
  host: string
  publicUrl: string
  /** Absolute. */
  dataDir: string
  /** Each role has its own login here. '' stands for the embedded Postgres. */
  databaseUrl: string
  /** The database without a pooler: `databaseUrl`, if there is none. */
  databaseDirectUrl: string
  /** Connections of an api for requests. */
  dbPoolApi: number
  databaseWaitMs: number
  /** Absolute; '' for none. */
  backupDir: string
  /** 0 for never. */
  backupIntervalMs: number
  backupCount: number
  /** '' does not encrypt. */
  backupRecipient: string
  /** Empty for the local chain of `all`. */
  solanaRpcUrls: string[]
  /** '' if the chain does not exist yet. */
  cottonMint: string
  freezableToken: Value<'FREEZABLE_TOKEN'>
  largeDeposit: Cotton
  /** '' recognises a public cluster by its genesis hash. */
  cluster: Value<'CLUSTER'>
  /** Whether the chain is the local chain: set by the supervisor, or by `CLUSTER=local`. */
  localChain: boolean
  chainPort: number
  xUrl: string
  tokenUrl: string
  /** Absolute; '' for `world.json` in the data folder, if it exists. */
  worldFile: string
  /** Absolute; '' for `terms.md` in the data folder, if it exists. */
  termsFile: string
  marketMode: Value<'MARKET_MODE'>
  balances: Value<'BALANCES'>
  /** 0 for none. */
  metricsPort: number
  metricsHost: string
  /** '' for none. */
  alertWebhookUrl: string
  alertRepeatMs: number
  rateLimits: boolean
  /** False, a number of hops, or addresses and networks. */
  trustProxy: false | number | string[]
  drainSeconds: number
  finishSeconds: number
  coldWallets: string[]
  /** Absolute. The file may be missing. */
  operatorsFile: string
  /** 0 for no console. */
  consolePort: number
  consoleHost: string
  consoleUrl: string
  watcherCallsPerSecond: number
  apiCallsPerSecond: number
  withdrawals: WithdrawalSettings
  logLevel: LogLevel
}

/** How long a role may take to stop: for the api, to answer requests in flight. */
export const graceMsOf = ({
  drainSeconds,
  finishSeconds,
}: Pick<Config, 'drainSeconds' | 'finishSeconds'>): number => (drainSeconds + finishSeconds) * 1_000

type Environment = Record<string, string | undefined>

/**
 * The parsed settings. A `StartupError` names the variable that is wrong. With a `role`, only the ports on which that role
 * listens must differ: it does not receive those of the others, and their defaults say nothing.
 */
export function readConfig(env: Environment, role: string | null = null): Config {
  const read = <Name extends SettingName>(name: Name): Value<Name> =>
    // The table is a union of settings: TypeScript cannot pair the name with its value.
    readSetting(env, name, SETTINGS[name] as Setting<Value<Name>>)
  const readPath = (name: 'WORLD_FILE' | 'TERMS_FILE' | 'BACKUP_DIR' | 'OPERATORS_FILE') =>
    read(name) && resolve(read(name))
  const port = read('PORT')
  const config: Config = {
    port,
    host: read('HOST'),
    publicUrl: read('PUBLIC_URL') || `http://localhost:${port}`,
    dataDir: resolve(read('DATA_DIR')),
    databaseUrl: read('DATABASE_URL'),
    databaseDirectUrl: read('DATABASE_DIRECT_URL') || read('DATABASE_URL'),
    dbPoolApi: read('DB_POOL_API'),
    databaseWaitMs: read('DATABASE_WAIT_SECONDS') * 1000,
    backupDir: readPath('BACKUP_DIR'),
    backupIntervalMs: read('BACKUP_EVERY'),
    backupCount: read('BACKUP_KEEP'),
    backupRecipient: read('BACKUP_RECIPIENT'),
    solanaRpcUrls: read('SOLANA_RPC_URL'),
    cottonMint: read('COTTON_MINT'),
    freezableToken: read('FREEZABLE_TOKEN'),
    largeDeposit: read('LARGE_DEPOSIT'),
    cluster: read('CLUSTER'),
    localChain: read('LOCAL_CHAIN') === 'on' || read('CLUSTER') === 'local',
    chainPort: read('CHAIN_RPC_PORT'),
    xUrl: read('X_URL'),
    tokenUrl: read('TOKEN_URL'),
    worldFile: readPath('WORLD_FILE'),
    termsFile: readPath('TERMS_FILE'),
    marketMode: read('MARKET_MODE'),
    balances: read('BALANCES'),
    metricsPort: read('METRICS_PORT'),
    metricsHost: read('METRICS_HOST'),
    alertWebhookUrl: read('ALERT_WEBHOOK_URL'),
    alertRepeatMs: read('ALERT_REPEAT_MINUTES') * 60_000,
    rateLimits: read('RATE_LIMITS') === 'on',
    trustProxy: read('TRUST_PROXY'),
    drainSeconds: read('DRAIN_SECONDS'),
    finishSeconds: read('FINISH_SECONDS'),
    coldWallets: read('COLD_WALLETS'),
    operatorsFile: readPath('OPERATORS_FILE') || join(resolve(read('DATA_DIR')), 'operators.json'),
    consolePort: read('CONSOLE_PORT'),
    consoleHost: read('CONSOLE_HOST'),
    consoleUrl: read('CONSOLE_URL') || `http://localhost:${read('CONSOLE_PORT')}`,
    watcherCallsPerSecond: read('WATCHER_CALLS_PER_SECOND'),
    apiCallsPerSecond: read('API_CALLS_PER_SECOND'),
    withdrawals: readWithdrawalSettings(env),
    logLevel: read('LOG_LEVEL'),
  }
  checkCombinations(config)
  checkPorts(config, role)
  return config
}

function checkCombinations(config: Config): void {
  if (config.solanaRpcUrls.length > 0 && !config.cottonMint) {
    throw new StartupError(
      'COTTON_MINT is missing: with SOLANA_RPC_URL set it must be the address of the token.',
    )
  }
  if (config.databaseDirectUrl && !config.databaseUrl) {
    throw new StartupError(
      'DATABASE_URL is missing: DATABASE_DIRECT_URL is the way around the pooler that it leads to.',
    )
  }
  if (config.backupIntervalMs > 0 && !config.backupDir) {
    throw new StartupError('BACKUP_DIR is missing: BACKUP_EVERY needs a folder for the backups.')
  }
}

function checkPorts(config: Config, role: string | null): void {
  const isOwn = (name: SettingName): boolean =>
    role === null || SETTINGS[name].roles.some((each) => each === role)
  const all: { name: SettingName; port: number }[] = [
    { name: 'PORT', port: config.port },
    { name: 'METRICS_PORT', port: config.metricsPort },
    { name: 'CONSOLE_PORT', port: config.consolePort },
    { name: 'CHAIN_RPC_PORT', port: config.solanaRpcUrls.length > 0 ? 0 : config.chainPort },
  ]
  const ports = all.filter(({ name, port }) => port !== 0 && isOwn(name))
  for (const [index, { name, port }] of ports.entries()) {
    const duplicate = ports.slice(0, index).find((other) => other.port === port)
    if (duplicate) throw new StartupError(`${duplicate.name} and ${name} are both ${port}: they must differ.`)
  }
  const socketPort = isOwn('CHAIN_RPC_PORT') ? chainSocketPort(config) : 0
  const conflicting = ports.find(({ port }) => port === socketPort)
  if (conflicting)
    throw new StartupError(
      `${conflicting.name} is ${conflicting.port}, where the local chain serves its WebSocket (CHAIN_RPC_PORT + 1): set one of them to another port.`,
    )
}

/** The next port after the local chain's, where Solana's tools expect its WebSocket; 0 if there is none. */
const chainSocketPort = ({ solanaRpcUrls, chainPort }: Config): number =>
  solanaRpcUrls.length > 0 || chainPort === 0 || chainPort === 65_535 ? 0 : chainPort + 1
