import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { formatCotton } from '#game/cotton.ts'
import type { Config } from '#server/platform/config.ts'
import type { RoleName } from '#server/platform/db/roles.ts'
import { type MetricRole, METRICS_ROLES } from '#server/platform/metrics/metric-table.ts'
import { LIMIT_SETTINGS, TREASURY_SETTINGS } from '#server/platform/withdrawal-settings.ts'
import { SIGNER_KEYS } from '#server/platform/settings.ts'

export interface SharedSettings {
  config: Config
  /** The role's own login. */
  databaseUrl: string
  /** The same without a pooler. */
  databaseDirectUrl: string
  /** The chain that all roles talk to. */
  chain: { urls: string[]; mint: string; isLocal: boolean }
}

// The inherited variables that Node, TLS and the clock need. No others are passed on.
const inherited = ['PATH', 'HOME', 'TZ', 'LANG', 'TMPDIR', 'NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']

/** The local chain only. It gets neither the database nor a login. */
export const chainEnvironment = (config: Config): Record<string, string> => ({
  ...inheritedEnvironment(config),
  DATA_DIR: config.dataDir,
  // Already checked to differ from the chain's port.
  PORT: String(config.port),
  CHAIN_RPC_PORT: String(config.chainPort),
  ...metricsSettings('local-chain', config),
})

/** The port of a role's metrics; 0 for none. */
export const metricsPortOf = (role: MetricRole, { metricsPort }: Pick<Config, 'metricsPort'>): number =>
  metricsPort === 0 ? 0 : metricsPort + METRICS_ROLES.indexOf(role)

const metricsSettings = (role: MetricRole, config: Config): Record<string, string> => ({
  METRICS_PORT: String(metricsPortOf(role, config)),
  METRICS_HOST: config.metricsHost,
})

/** The process that makes a backup. It gets the owner's login, and neither seed nor passphrase. */
export const backupEnvironment = (config: Config): Record<string, string> => ({
  ...inheritedEnvironment(config),
  DATA_DIR: config.dataDir,
  DATABASE_URL: config.databaseUrl,
  ...environmentOf(['DATABASE_DIRECT_URL', 'BACKUP_DIR', 'BACKUP_KEEP', 'BACKUP_RECIPIENT']),
})

/** Each role gets only its own settings and login, so that a compromised role does not expose another. */
export function roleEnvironment(
  role: Exclude<RoleName, 'readonly'>,
  shared: SharedSettings,
): Record<string, string> {
  const common = {
    ...inheritedEnvironment(shared.config),
    ...outgoingProxySettings(shared.config),
    DATABASE_URL: shared.databaseUrl,
    DATABASE_WAIT_SECONDS: String(shared.config.databaseWaitMs / 1000),
    SOLANA_RPC_URL: shared.chain.urls.join(','),
    COTTON_MINT: shared.chain.mint,
    FREEZABLE_TOKEN: shared.config.freezableToken,
    CLUSTER: shared.config.cluster,
    LOCAL_CHAIN: shared.chain.isLocal ? 'on' : 'off',
    LARGE_DEPOSIT: formatCotton(shared.config.largeDeposit).replaceAll(',', ''),
  }
  switch (role) {
    case 'api':
      return {
        ...common,
        ...tracingSettings(),
        DATABASE_DIRECT_URL: shared.databaseDirectUrl,
        ...apiSettings(shared.config),
      }
    case 'signer':
      return {
        ...common,
        ...environmentOf(Object.keys({ ...SIGNER_KEYS, ...TREASURY_SETTINGS, ...LIMIT_SETTINGS })),
        DATA_DIR: shared.config.dataDir,
        OPERATORS_FILE: shared.config.operatorsFile,
        COLD_WALLETS: shared.config.coldWallets.join(','),
        // Players sign this host when they withdraw.
        PUBLIC_URL: shared.config.publicUrl,
      }
    case 'watcher':
      return {
        ...common,
        ...tracingSettings(),
        ...metricsSettings('watcher', shared.config),
        // Alerts name the game.
        PUBLIC_URL: shared.config.publicUrl,
        COLD_WALLETS: shared.config.coldWallets.join(','),
        WATCHER_CALLS_PER_SECOND: String(shared.config.watcherCallsPerSecond),
        ALERT_WEBHOOK_URL: shared.config.alertWebhookUrl,
        ALERT_REPEAT_MINUTES: String(shared.config.alertRepeatMs / 60_000),
      }
    case 'console':
      return consoleSettings(shared)
  }
}

/** The console connects to no chain, and shares neither seed nor data folder. */
const consoleSettings = ({ config, databaseUrl }: SharedSettings): Record<string, string> => ({
  ...inheritedEnvironment(config),
  DATABASE_URL: databaseUrl,
  DATABASE_WAIT_SECONDS: String(config.databaseWaitMs / 1000),
  PUBLIC_URL: config.publicUrl,
  CONSOLE_PORT: String(config.consolePort),
  CONSOLE_HOST: config.consoleHost,
  CONSOLE_URL: config.consoleUrl,
  OPERATORS_FILE: config.operatorsFile,
  MARKET_MODE: config.marketMode,
  RATE_LIMITS: config.rateLimits ? 'on' : 'off',
  TRUST_PROXY: config.trustProxy === false ? 'off' : String(config.trustProxy),
})

const inheritedEnvironment = (config: Config) => ({ ...environmentOf(inherited), LOG_LEVEL: config.logLevel })

const PROXY_VARIABLE = /^(?:NODE_USE_ENV|HTTPS?|NO)_PROXY$/i

/**
 * Node's own variables for a proxy on the way to the nodes. Node ignores the others without the first. The local chain is on
 * this machine, where a proxy does not reach it.
 */
function outgoingProxySettings({ solanaRpcUrls }: Config): Record<string, string> {
  if (solanaRpcUrls.length === 0 || process.env.NODE_USE_ENV_PROXY !== '1') return {}
  return environmentOf(Object.keys(process.env).filter((name) => PROXY_VARIABLE.test(name)))
}

/** The standard variables of OpenTelemetry. Never for the signer: they can contain an address to send to. */
const tracingSettings = () =>
  environmentOf(Object.keys(process.env).filter((name) => /^OTEL_[A-Z_]+$/.test(name)))

function environmentOf(names: string[]): Record<string, string> {
  const known = names.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(known)
}

/** The path of an optional file in the data folder; '' if it does not exist. */
function findFile({ dataDir }: Config, name: string): string {
  const path = join(dataDir, name)
  return existsSync(path) ? path : ''
}

function apiSettings(config: Config): Record<string, string> {
  return {
    ...environmentOf(Object.keys(LIMIT_SETTINGS)),
    DB_POOL_API: String(config.dbPoolApi),
    API_CALLS_PER_SECOND: String(config.apiCallsPerSecond),
    PORT: String(config.port),
    HOST: config.host,
    PUBLIC_URL: config.publicUrl,
    X_URL: config.xUrl,
    TOKEN_URL: config.tokenUrl,
    TERMS_FILE: config.termsFile || findFile(config, 'terms.md'),
    MARKET_MODE: config.marketMode,
    BALANCES: config.balances,
    ...metricsSettings('api', config),
    RATE_LIMITS: config.rateLimits ? 'on' : 'off',
    DRAIN_SECONDS: String(config.drainSeconds),
    FINISH_SECONDS: String(config.finishSeconds),
    TRUST_PROXY: config.trustProxy === false ? 'off' : String(config.trustProxy),
  }
}
