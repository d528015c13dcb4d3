import { join } from 'node:path'
import { createDefaultRpcTransport } from '@solana/kit'
import { askLocalMint } from '#server/chain/ask-local-chain.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { changeDatabaseUrl } from '#server/platform/db/database-url.ts'
import { passwordSetting, roleNames, withLogin } from '#server/platform/db/roles.ts'
import { isSecretSetting } from '#server/platform/settings.ts'
import { readSecret } from '#server/platform/secrets.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { quoteValue } from './quote-value.ts'
import { chainEnvironment, roleEnvironment } from './role-environment.ts'
import { NO_DEBUGGER, permissionFlags } from './role-permissions.ts'

const ROLES = ['api', 'watcher', 'signer', 'console', 'local-chain', 'migrate'] as const
type PrintableRole = (typeof ROLES)[number]

const WITH_PASSWORDS = '--with-passwords'
const HIDDEN = '<password>'

/**
 * Prints the environment of a role that runs on its own, as a file for `node --env-file` or systemd: its settings, its
 * database login, and the flags that confine it. Passwords are included only on request, so that none ends up in a terminal's
 * history.
 */
export async function printEnvironment(
  args: readonly string[],
  { config, say }: { config: Config; say(line: string): void },
): Promise<void> {
  const [name, ...options] = args
  const role = ROLES.find((each) => each === name)
  if (!role || options.some((option) => option !== WITH_PASSWORDS))
    throw new StartupError(`"ops env" takes one of ${ROLES.join(', ')}, and ${WITH_PASSWORDS} or nothing.`)
  const showSecrets = options.length > 0
  const own = await environmentOf(role, { config, showSecrets })
  const { databaseUrl, databaseDirectUrl } = config
  const parsed = readConfig({ ...own, DATABASE_URL: '', DATABASE_DIRECT_URL: '' }, role)
  // Of a file of `--env-file`, Node takes NODE_OPTIONS before it starts, but NODE_USE_ENV_PROXY too late.
  const proxy = own.NODE_USE_ENV_PROXY === '1' ? ['--use-env-proxy'] : []
  const confining = permissionFlags(role, { ...parsed, databaseUrl, databaseDirectUrl })
  const flags = [NO_DEBUGGER, ...proxy, ...confining]
  const env = showSecrets ? own : hideSecrets(own)
  const lines = Object.entries(env).filter(([, value]) => value !== '')
  lines.push(['NODE_OPTIONS', flags.map(quoteFlag).join(' ')])
  // A value that cannot be quoted is refused before the file has a line.
  const quoted = lines.map(([setting, value]) => `${setting}=${quoteValue(setting, value)}`)
  say(`# node --env-file=${role}.env server/main.ts ${role}`)
  if (!showSecrets && JSON.stringify(env).includes(HIDDEN))
    say(`# ${WITH_PASSWORDS} prints the passwords, too; the file is then for this role's user alone`)
  if (env.NODE_EXTRA_CA_CERTS)
    say('# Node ignores NODE_EXTRA_CA_CERTS in this file: export it, unless systemd reads the file')
  for (const line of quoted) say(line)
}

type EnvironmentOptions = { config: Config; showSecrets: boolean }

async function environmentOf(
  role: PrintableRole,
  { config, showSecrets }: EnvironmentOptions,
): Promise<Record<string, string>> {
  if (role === 'local-chain') return ownSettings(chainEnvironment(config))
  if (!config.databaseUrl) {
    throw new StartupError(
      "DATABASE_URL is missing: roles that run on their own share a Postgres of yours; name the owner's login.",
    )
  }
  const hasPooler = config.databaseDirectUrl !== config.databaseUrl
  if (role === 'migrate') {
    const settings = {
      DATA_DIR: config.dataDir,
      WORLD_FILE: config.worldFile,
      LOG_LEVEL: config.logLevel,
      DATABASE_WAIT_SECONDS: String(config.databaseWaitMs / 1000),
    }
    // Without them it would generate others.
    const passwords: Record<string, string> = Object.fromEntries(
      roleNames.map((each) => [passwordSetting(each), process.env[passwordSetting(each)] ?? '']),
    )
    const show = (url: string) => (showSecrets ? url : withPassword(url, HIDDEN))
    return {
      DATABASE_URL: show(config.databaseUrl),
      ...(hasPooler ? { DATABASE_DIRECT_URL: show(config.databaseDirectUrl) } : {}),
      ...settings,
      ...passwords,
    }
  }
  const password = showSecrets ? passwordOf(role, config) : HIDDEN
  const ofRole = (url: string) => withPassword(withLogin(url, { name: role, password: '' }), password)
  const chain = await chainOf(config)
  const databaseUrl = ofRole(config.databaseUrl)
  const databaseDirectUrl = hasPooler ? ofRole(config.databaseDirectUrl) : ''
  return ownSettings(roleEnvironment(role, { config, chain, databaseUrl, databaseDirectUrl }))
}

/** Without inherited variables such as PATH. */
function ownSettings(env: Record<string, string>): Record<string, string> {
  const inherited = ['PATH', 'HOME', 'TZ', 'LANG', 'TMPDIR', 'NODE_ENV']
  return Object.fromEntries(Object.entries(env).filter(([name]) => !inherited.includes(name)))
}

const hideSecrets = (env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, hideSecret(name, value)]))

function hideSecret(name: string, value: string): string {
  if (value === '') return value
  if (name === 'SOLANA_RPC_URL') return value.split(',').map(hideKey).join(',')
  // The address of a proxy may contain a login.
  if (/^https?_proxy$/i.test(name)) return value.replace(/^(.*?:\/\/)?.*@/, `$1${HIDDEN}@`)
  // OpenTelemetry has one variable with headers for each kind of data.
  return isSecretSetting(name) || /^OTEL_.*_HEADERS$/.test(name) ? HIDDEN : value
}

/** The URL of a node without what providers put their key into: its path, its query, or its login. */
function hideKey(url: string): string {
  const { origin, href } = new URL(url)
  return href === `${origin}/` ? url : `${origin}/${HIDDEN}`
}

const withPassword = (url: string, password: string): string =>
  changeDatabaseUrl(url, (parsed) => Object.assign(parsed, { password: encodeURIComponent(password) }))
    // The placeholder stays readable.
    .replace(encodeURIComponent(HIDDEN), HIDDEN)

function passwordOf(role: 'api' | 'watcher' | 'signer' | 'console', { dataDir }: Config): string {
  const file = `database-${role}`
  const known = process.env[passwordSetting(role)] || readSecret(join(dataDir, 'secrets'), file)
  if (known) return known
  throw new StartupError(
    `The password of the login "${role}" is not known here: set ${passwordSetting(role)}, or run "node server/main.ts migrate" first, which makes it in ${join(dataDir, 'secrets', file)}.`,
  )
}

async function chainOf({ solanaRpcUrls, cottonMint, chainPort, localChain }: Config) {
  if (solanaRpcUrls.length > 0) return { urls: solanaRpcUrls, mint: cottonMint, isLocal: localChain }
  const url = `http://127.0.0.1:${chainPort}`
  const mint = await askLocalMint(createDefaultRpcTransport({ url })).catch(() => {
    throw new StartupError(
      `No SOLANA_RPC_URL is set, and no local chain answers at ${url}: start the role local-chain first, or name a node.`,
    )
  })
  return { urls: [url], mint, isLocal: true }
}

const quoteFlag = (flag: string): string => (flag.includes(' ') ? flag.replace(/=(.*)$/, '="$1"') : flag)
