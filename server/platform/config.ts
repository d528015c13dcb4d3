import { resolve } from 'node:path'
import { type Cotton, cotton, LARGEST_REQUEST } from '#game/cotton.ts'
import { StartupError } from './startup-error.ts'
import { readWithdrawalSettings, type WithdrawalSettings } from './withdrawal-settings.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** From this amount, a deposit is credited only when two nodes agree on it. The operator can set another amount. */
export const LARGE_DEPOSIT = cotton(100_000)

export interface Config {
  /** `PORT` of the game and its API; 0 picks a free one. */
  port: number
  /** `HOST`, the address to listen on: `localhost` is reachable from this machine only, `0.0.0.0` from everywhere. */
  host: string
  /** `PUBLIC_URL`, the origin that players see, without a trailing slash. */
  publicUrl: string
  /** `DATA_DIR`, absolute: secrets, the embedded database and the local chain. */
  dataDir: string
  /** `DATABASE_URL`; with '', `all` starts the embedded Postgres. Each role gets a URL with its own login. */
  databaseUrl: string
  /** `DATABASE_WAIT_SECONDS`: how long a start waits for an unreachable database. */
  databaseWaitMs: number
  /** `SOLANA_RPC_URL`, comma-separated; if empty, `all` starts the local chain. */
  solanaRpcUrls: string[]
  /** `COTTON_MINT`, the address of the token; '' only before the local chain has created it. */
  cottonMint: string
  /** `FREEZABLE_TOKEN`: whether a token with a freeze authority is accepted on a chain where tokens have value. */
  freezableToken: 'refused' | 'allowed'
  /**
   * `LARGE_DEPOSIT`, in whole $COTTON: from this amount, a deposit is credited only when two nodes of `SOLANA_RPC_URL`
   * agree on it, if there are two.
   */
  largeDeposit: Cotton
  /** `CLUSTER`: whose rules apply. With '', a public cluster is recognised by its genesis hash. */
  cluster: '' | 'local' | 'devnet' | 'testnet' | 'mainnet'
  /** `LOCAL_CHAIN`, set by `all` for the roles it starts, or `CLUSTER=local`: the chain is the game's own local one. */
  localChain: boolean
  /** `CHAIN_RPC_PORT` of the local chain; 0 picks a free one. */
  chainPort: number
  /** `X_URL` of the project's page on X; '' for none. */
  xUrl: string
  /** `TOKEN_URL`, where the token is described or traded; '' for none. */
  tokenUrl: string
  /** `WORLD_FILE`, absolute: what the game offers. With '', `world.json` in the data folder if it exists. */
  worldFile: string
  /** `TERMS_FILE`, absolute: the terms and risks. With '', `terms.md` in the data folder if it exists. */
  termsFile: string
  /** `MARKET_MODE` */
  marketMode: 'auto' | 'open' | 'closed'
  /** `BALANCES`: whether anyone can read the balance of a wallet, or only its player. */
  balances: 'public' | 'private'
  /** `METRICS_PORT`; 0 for none. */
  metricsPort: number
  /** `RATE_LIMITS` */
  rateLimits: boolean
  /** `TRUST_PROXY`: whose `X-Forwarded-For` is trusted: `off`, a number of hops, or addresses and networks. */
  trustProxy: false | number | string[]
  /** `DRAIN_SECONDS`: how long a stopping api still serves requests while `/readyz` answers 503. */
  drainSeconds: number
  /** `FINISH_SECONDS`: how long requests in flight may take after the port has closed. */
  finishSeconds: number
  /** `COLD_WALLETS`, comma-separated: wallets that count towards the reserve and whose keys are stored elsewhere. */
  coldWallets: string[]
  /** `WITHDRAWAL_…`, `TREASURY_…` and `PRIORITY_FEE_CAP` */
  withdrawals: WithdrawalSettings
  /** `LOG_LEVEL` */
  logLevel: LogLevel
}

/** The extra time that a role may take to stop: the api drains and finishes its requests. */
export const graceMsOf = ({
  drainSeconds,
  finishSeconds,
}: Pick<Config, 'drainSeconds' | 'finishSeconds'>): number => (drainSeconds + finishSeconds) * 1_000

type Environment = Record<string, string | undefined>

/** Reads every setting. A `StartupError` names the invalid variable. */
export function readConfig(env: Environment): Config {
  const port = readPort(env, 'PORT', 3001)
  const config: Config = {
    port,
    host: read(env, 'HOST') || 'localhost',
    publicUrl: readOrigin(env, 'PUBLIC_URL') || `http://localhost:${port}`,
    dataDir: resolve(read(env, 'DATA_DIR') || '.data'),
    databaseUrl: readUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    databaseWaitMs: readSeconds(env, 'DATABASE_WAIT_SECONDS', 60) * 1000,
    solanaRpcUrls: readUrls(env, 'SOLANA_RPC_URL'),
    cottonMint: readAddress(env, 'COTTON_MINT'),
    freezableToken: readOneOf(env, 'FREEZABLE_TOKEN', ['refused', 'allowed']),
    largeDeposit: readWholeCotton(env, 'LARGE_DEPOSIT', LARGE_DEPOSIT),
    cluster: readOneOf(env, 'CLUSTER', ['', 'local', 'devnet', 'testnet', 'mainnet']),
    localChain: readSwitch(env, 'LOCAL_CHAIN', 'off') || read(env, 'CLUSTER') === 'local',
    chainPort: readPort(env, 'CHAIN_RPC_PORT', 8899),
    xUrl: readUrl(env, 'X_URL', ['https:', 'http:']),
    tokenUrl: readUrl(env, 'TOKEN_URL', ['https:', 'http:']),
    worldFile: readPath(env, 'WORLD_FILE'),
    termsFile: readPath(env, 'TERMS_FILE'),
    marketMode: readOneOf(env, 'MARKET_MODE', ['auto', 'open', 'closed']),
    balances: readOneOf(env, 'BALANCES', ['public', 'private']),
    metricsPort: readPort(env, 'METRICS_PORT', 0),
    rateLimits: readSwitch(env, 'RATE_LIMITS', 'on'),
    trustProxy: readProxy(env, 'TRUST_PROXY'),
    drainSeconds: readSeconds(env, 'DRAIN_SECONDS', 0),
    finishSeconds: readSeconds(env, 'FINISH_SECONDS', 5),
    coldWallets: readWallets(env, 'COLD_WALLETS'),
    withdrawals: readWithdrawalSettings(env),
    logLevel: readOneOf(env, 'LOG_LEVEL', ['warn', ...logLevels]),
  }
  checkCombinations(config)
  return config
}

function checkCombinations(config: Config): void {
  if (config.solanaRpcUrls.length > 0 && !config.cottonMint) {
    throw new StartupError(
      'COTTON_MINT is missing: with SOLANA_RPC_URL set it must be the address of the token.',
    )
  }
  const ports = [
    { name: 'PORT', port: config.port },
    { name: 'METRICS_PORT', port: config.metricsPort },
    ...(config.solanaRpcUrls.length > 0 ? [] : [{ name: 'CHAIN_RPC_PORT', port: config.chainPort }]),
  ].filter(({ port }) => port !== 0)
  for (const [index, { name, port }] of ports.entries()) {
    const duplicate = ports.slice(0, index).find((other) => other.port === port)
    if (duplicate) throw new StartupError(`${duplicate.name} and ${name} are both ${port}: they must differ.`)
  }
  const [conflicting] = ports.filter(({ port }) => port === chainSocketPort(config))
  if (conflicting)
    throw new StartupError(
      `${conflicting.name} is ${conflicting.port}, where the local chain serves its WebSocket (CHAIN_RPC_PORT + 1): set one of them to another port.`,
    )
}

/** The port after the local chain's, where Solana's tools expect its WebSocket; 0 if there is none. */
const chainSocketPort = ({ solanaRpcUrls, chainPort }: Config): number =>
  solanaRpcUrls.length > 0 || chainPort === 0 || chainPort === 65_535 ? 0 : chainPort + 1

// An empty variable counts as not set: compose files and CI pass unset variables like that.
const read = (env: Environment, name: string): string => env[name]?.trim() ?? ''

const invalidSetting = (name: string, value: string, expected: string) =>
  new StartupError(`${name} is "${value}", which is not ${expected}.`)

function readPath(env: Environment, name: string): string {
  const value = read(env, name)
  return value && resolve(value)
}

function readPort(env: Environment, name: string, defaultValue: number): number {
  const value = read(env, name)
  if (!value) return defaultValue
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65_535) throw invalidSetting(name, value, 'a port (0 to 65535)')
  return port
}

function readWholeCotton(env: Environment, name: string, defaultValue: Cotton): Cotton {
  const value = read(env, name)
  if (!value) return defaultValue
  if (!/^\d{1,10}$/.test(value) || Number(value) > LARGEST_REQUEST) {
    throw invalidSetting(name, value, 'a whole amount of $COTTON')
  }
  return cotton(Number(value))
}

function readSeconds(env: Environment, name: string, defaultValue: number): number {
  const value = read(env, name)
  if (!value) return defaultValue
  const seconds = Number(value)
  if (!/^\d{1,3}$/.test(value) || seconds > 300)
    throw invalidSetting(name, value, 'a whole number of seconds (0 to 300)')
  return seconds
}

function readOneOf<const Choice extends string>(
  env: Environment,
  name: string,
  choices: readonly Choice[],
): Choice {
  const [defaultValue] = choices
  const value = read(env, name) || defaultValue
  const found = choices.find((choice) => choice === value)
  if (found === undefined)
    throw invalidSetting(name, value ?? '', `one of ${[...new Set(choices)].filter(Boolean).join(', ')}`)
  return found
}

function readSwitch(env: Environment, name: string, defaultValue: 'on' | 'off'): boolean {
  return readOneOf(env, name, [defaultValue, 'on', 'off']) === 'on'
}

function readUrl(env: Environment, name: string, protocols: string[]): string {
  const value = read(env, name)
  if (!value) return ''
  const url = URL.parse(value)
  // A database URL contains a password, so the message does not repeat it.
  const shown = url?.password || name === 'DATABASE_URL' ? '…' : value
  if (!url || !protocols.includes(url.protocol) || !url.hostname) {
    throw invalidSetting(name, shown, `an address like ${protocols[0]}//…`)
  }
  return value
}

function readUrls(env: Environment, name: string): string[] {
  const parts = read(env, name).split(',')
  return parts.map((part) => readUrl({ [name]: part }, name, ['https:', 'http:'])).filter(Boolean)
}

function readOrigin(env: Environment, name: string): string {
  const value = readUrl(env, name, ['https:', 'http:'])
  if (!value) return ''
  const { origin, href } = new URL(value)
  if (href !== `${origin}/`)
    throw invalidSetting(name, value, 'an origin like https://farm.example without a path')
  return origin
}

function readAddress(env: Environment, name: string): string {
  const value = read(env, name)
  if (value && !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value))
    throw invalidSetting(name, value, 'a Solana address')
  return value
}

/** One RPC call reads this many accounts together with the treasury's. */
const MAX_COLD_WALLETS = 20

function readWallets(env: Environment, name: string): string[] {
  const parts = read(env, name).split(',')
  const wallets = parts.map((part) => readAddress({ [name]: part }, name)).filter(Boolean)
  if (wallets.length > MAX_COLD_WALLETS)
    throw invalidSetting(name, `${wallets.length} addresses`, `at most ${MAX_COLD_WALLETS} of them`)
  return wallets
}

function readProxy(env: Environment, name: string): false | number | string[] {
  const value = read(env, name) || 'off'
  if (value === 'off') return false
  if (/^[1-9]$/.test(value)) return Number(value)
  const networks = value.split(',').map((part) => part.trim())
  if (!networks.every((network) => /^[0-9a-f:.]+(\/\d{1,3})?$/i.test(network) && /[.:]/.test(network))) {
    throw invalidSetting(name, value, 'off, a number of hops (1 to 9) or a list of addresses')
  }
  return networks
}
