import { cotton } from '#game/cotton.ts'
import {
  external,
  parseAddress,
  parseCount,
  parseHttpUrl,
  parseList,
  parseNodeUrl,
  parseOneOf,
  parseOrigin,
  parsePort,
  parseProxies,
  parseSeconds,
  parseText,
  parseDatabaseUrl,
  parseWholeCotton,
  setting,
  type Setting,
} from './setting.ts'
import { BACKUP_SETTINGS } from './backup-settings.ts'
import { CONSOLE_SETTINGS } from './console-settings.ts'
import { MONITORING_SETTINGS } from './monitoring-settings.ts'
import { LIMIT_SETTINGS, TREASURY_SETTINGS } from './withdrawal-settings.ts'

/** The roles that use the chain. */
const CHAIN_ROLES = ['api', 'watcher', 'signer'] as const

/** As many as one call to a node reads beside the treasury. */
const MAX_COLD_WALLETS = 20

const WEB = {
  PORT: setting({
    parse: parsePort,
    default: 3001,
    roles: ['api', 'local-chain'],
    description: 'Port of the game and its API. 0 picks a free port.',
  }),
  HOST: setting({
    parse: parseText,
    default: 'localhost',
    roles: ['api'],
    description:
      "Address to listen on. `0.0.0.0` accepts connections from other machines. Visitors on the local network then use the machine's IP address. To play they need https, as all wallets do. A host name of your own also needs `PUBLIC_URL`.",
  }),
  PUBLIC_URL: setting({
    parse: parseOrigin,
    default: '',
    defaultText: '`http://localhost:<PORT>`',
    roles: ['api', 'watcher', 'signer', 'console'],
    description:
      'Origin that players open, without a path. It is part of every message that a wallet signs, so api and signer need the same value. Pages of other origins may not call the API. While it names this machine, pages at `localhost` or at an IP address may call the host that served them.',
  }),
  TRUST_PROXY: setting({
    parse: parseProxies,
    default: false,
    defaultText: '`off`',
    roles: ['api', 'console'],
    description:
      'Proxies whose `X-Forwarded-For` header is trusted: `off`, a number of hops (1 to 9), or comma-separated addresses and networks. See [behind a proxy](operate/proxy.md).',
  }),
  RATE_LIMITS: setting({
    parse: parseOneOf('on', 'off'),
    default: 'on',
    roles: ['api', 'console'],
    description:
      '`off` removes the rate limits, the [delay of failed logins](operate/proxy.md#login-limits) and the limits on connections. Use it for load tests only.',
  }),
  DRAIN_SECONDS: setting({
    parse: parseSeconds,
    default: 0,
    roles: ['api'],
    description:
      'How long an api keeps serving after SIGTERM while `/readyz` answers 503, so that a load balancer can notice (0 to 300). In the second half it closes its WebSockets, a few at a time. With many players take about a second for each 500 sockets. Leave it at 0 with a single api: a proxy that asks `/readyz` would refuse players for all of this time, because it has no other api.',
  }),
  FINISH_SECONDS: setting({
    parse: parseSeconds,
    default: 5,
    roles: ['api'],
    description: 'How long requests in flight may take after that, once the port is closed (0 to 300).',
  }),
  LOG_LEVEL: setting({
    parse: parseOneOf('warn', 'fatal', 'error', 'info', 'debug', 'trace', 'silent'),
    default: 'warn',
    roles: ['api', 'watcher', 'signer', 'console', 'local-chain', 'migrate'],
    description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
  }),
} as const

const DATABASE = {
  DATA_DIR: setting({
    parse: parseText,
    default: '.data',
    roles: ['signer', 'local-chain', 'migrate'],
    description:
      'Folder for secrets, the embedded database and the local chain. Only one server may use a folder at a time.',
  }),
  DATABASE_URL: setting({
    parse: parseDatabaseUrl,
    default: '',
    defaultText: 'the embedded Postgres',
    roles: ['api', 'watcher', 'signer', 'console', 'migrate'],
    description:
      "Connection URL of your own Postgres, with the owner's login. Several servers of one cluster are separated by commas: `postgres://…@h1:5432,h2:5432/farm?target_session_attrs=read-write` ([which one is used](operate/database.md)). `npm start`, `migrate` and `ops` use this login. A role that runs on its own [needs its own login](runbooks/roles.md).",
  }),
  DATABASE_DIRECT_URL: setting({
    parse: parseDatabaseUrl,
    default: '',
    defaultText: '`DATABASE_URL`',
    roles: ['api', 'migrate'],
    description:
      'The same database and login without a pooler, if `DATABASE_URL` leads to one: see [a pooler](operate/database.md#a-pooler). Used where a session is needed: notifications between apis, migrations, operator commands and backups.',
  }),
  DB_POOL_API: setting({
    parse: parseCount,
    default: 10,
    roles: ['api'],
    description:
      'How many database connections an api opens at most for requests. See [how many connections](operate/database.md#connections).',
  }),
  DATABASE_WAIT_SECONDS: setting({
    parse: parseSeconds,
    default: 60,
    roles: ['api', 'watcher', 'signer', 'console', 'migrate'],
    description: 'How long a start waits for an unreachable database (0 to 300). 0 does not wait.',
  }),
  DB_PASSWORD_API: external({
    defaultText: 'generated',
    roles: ['migrate'],
    secret: true,
    description: 'Password of the database login `api`. Without it the password is in `DATA_DIR/secrets`.',
  }),
  DB_PASSWORD_WATCHER: external({
    defaultText: 'generated',
    roles: ['migrate'],
    secret: true,
    description: 'The same for the login `watcher`.',
  }),
  DB_PASSWORD_SIGNER: external({
    defaultText: 'generated',
    roles: ['migrate'],
    secret: true,
    description: 'The same for the login `signer`.',
  }),
  DB_PASSWORD_CONSOLE: external({
    defaultText: 'generated',
    roles: ['migrate'],
    secret: true,
    description: 'The same for the login `console`.',
  }),
  DB_PASSWORD_READONLY: external({
    defaultText: 'generated',
    roles: ['migrate'],
    secret: true,
    description: 'The same for the login `readonly`.',
  }),
} as const

const CHAIN = {
  SOLANA_RPC_URL: setting({
    parse: parseList(parseNodeUrl),
    default: [],
    defaultText: 'the local chain',
    roles: CHAIN_ROLES,
    description:
      'Comma-separated RPC URLs: reads try them in order, sends in turn. Use one, or at least three: with exactly two, one unresponsive node blocks payouts.',
  }),
  WATCHER_CALLS_PER_SECOND: setting({
    parse: parseCount,
    default: 30,
    roles: ['watcher'],
    description:
      "The calls that the watcher sends to one node in a second, evenly spaced; at most a fifth more in any second. One call compares a hundred deposit addresses: at 30, a million take about seven minutes. Watcher and apis (`API_CALLS_PER_SECOND`) together have to stay below the limit of your node's plan, which the signer uses, too. The local chain is not limited.",
  }),
  API_CALLS_PER_SECOND: setting({
    parse: parseCount,
    default: 30,
    roles: ['api'],
    description:
      "The calls that players can cause an api to send to one node in a second, evenly spaced; at most a fifth more in any second. A check for deposits takes three. A call that would wait for more than five seconds goes to the next node. If no node is left, the player reads that the chain does not respond, and the watcher credits the deposit. All apis and the watcher (`WATCHER_CALLS_PER_SECOND`) together have to stay below the limit of your node's plan, which the signer uses, too. The local chain is not limited.",
  }),
  COTTON_MINT: setting({
    parse: parseAddress,
    default: '',
    defaultText: 'the local test token',
    roles: CHAIN_ROLES,
    description: 'Mint address of the token. Required with `SOLANA_RPC_URL`.',
  }),
  CLUSTER: setting<'' | 'local' | 'devnet' | 'testnet' | 'mainnet'>({
    parse: parseOneOf('local', 'devnet', 'testnet', 'mainnet'),
    default: '',
    defaultText: 'by the genesis hash',
    roles: CHAIN_ROLES,
    description:
      '`local`, `devnet`, `testnet` or `mainnet`: which rules apply on a chain that is not a public cluster. See [which rules apply](operate/real-cluster.md#which-rules-apply).',
  }),
  FREEZABLE_TOKEN: setting({
    parse: parseOneOf('refused', 'allowed'),
    default: 'refused',
    roles: CHAIN_ROLES,
    description: '`allowed` accepts a mint that has a freeze authority. The local chain is not checked.',
  }),
  LARGE_DEPOSIT: setting({
    parse: parseWholeCotton,
    default: cotton(100_000),
    roles: CHAIN_ROLES,
    description:
      'Amount in whole $COTTON from which a deposit is credited only after two nodes of `SOLANA_RPC_URL` report it, if there are two. Api and watcher both credit deposits: give them the same value and the same nodes.',
  }),
  COLD_WALLETS: setting({
    parse: parseList(parseAddress, MAX_COLD_WALLETS),
    default: [],
    defaultText: 'none',
    roles: ['watcher', 'signer'],
    description:
      'Comma-separated wallets, at most 20, whose $COTTON counts towards the reserve. The game does not need their keys.',
  }),
  CHAIN_RPC_PORT: setting({
    parse: parsePort,
    default: 8899,
    roles: ['local-chain'],
    description:
      "JSON-RPC port of the local chain. Its WebSocket listens on the same port and, as Solana's tools expect, on the next one (8900) if that port is free.",
  }),
} as const

/** The variables with the seed, which only the signer may have. */
export const SIGNER_KEYS = {
  SIGNER_SEED_FILE: external({
    defaultText: 'created on the local chain',
    roles: ['signer'],
    description:
      'File of mode 0400 with the 64-byte seed from which every key is derived, in hex or encrypted as on the local chain. Required on every other chain, unless `SIGNER_SEED` is set.',
  }),
  SIGNER_SEED: external({
    defaultText: 'none',
    roles: ['signer'],
    secret: true,
    description: 'The seed itself in hex, where a file is not possible.',
  }),
  SIGNER_PASSPHRASE: external({
    defaultText: 'none',
    roles: ['signer'],
    secret: true,
    description: 'Passphrase of an encrypted seed.',
  }),
  SIGNER_PASSPHRASE_FILE: external({
    defaultText: '`DATA_DIR/secrets/signer-passphrase`',
    roles: ['signer'],
    description: 'File of mode 0400 with the passphrase.',
  }),
} as const

const OPERATORS = {
  OPERATORS_FILE: setting({
    parse: parseText,
    default: '',
    defaultText: '`DATA_DIR/operators.json`',
    roles: ['signer', 'console'],
    description:
      'JSON file with the wallets of the operators, their rights, and the amount above which a withdrawal needs two of them. Read again whenever it changes. Without it nobody can approve. See [operators](runbooks/operators.md).',
  }),
} as const

const GAME = {
  MARKET_MODE: setting({
    parse: parseOneOf('auto', 'open', 'closed'),
    default: 'auto',
    roles: ['api', 'console'],
    description:
      '`open`, `closed` or `auto`: whether players may trade land. `auto` opens the market once the game has sold all the land that it offers. Until then an operator can open one continent: `npm run ops -- market open EU`, with `--reason` and a signature.',
  }),
  BALANCES: setting({
    parse: parseOneOf('public', 'private'),
    default: 'public',
    roles: ['api'],
    description: '`private` shows a balance to its own player only.',
  }),
  WORLD_FILE: setting({
    parse: parseText,
    default: '',
    defaultText: '`DATA_DIR/world.json`',
    roles: ['migrate'],
    description:
      'Which land and how many workers the game offers. Read at each start. See [the world file](operate/files.md#the-world-file).',
  }),
  TERMS_FILE: setting({
    parse: parseText,
    default: '',
    defaultText: '`DATA_DIR/terms.md`',
    roles: ['api'],
    description:
      'The terms and risks that players read. See [the terms file](operate/files.md#the-terms-file).',
  }),
  X_URL: setting({
    parse: parseHttpUrl,
    default: '',
    defaultText: 'none',
    roles: ['api'],
    description: "The project's page on X.",
  }),
  TOKEN_URL: setting({
    parse: parseHttpUrl,
    default: '',
    defaultText: 'none',
    roles: ['api'],
    description: 'A page about the token.',
  }),
} as const

/** Set by the supervisor for the roles that it starts, never by an operator. */
const INTERNAL = {
  LOCAL_CHAIN: setting({
    parse: parseOneOf('off', 'on'),
    default: 'off',
    roles: CHAIN_ROLES,
    description: 'Whether the chain is the local chain.',
  }),
} as const

/** Each setting of the program. The keys are the names of the environment variables. */
export const SETTINGS = {
  ...WEB,
  ...MONITORING_SETTINGS,
  ...DATABASE,
  ...BACKUP_SETTINGS,
  ...CONSOLE_SETTINGS,
  ...CHAIN,
  ...SIGNER_KEYS,
  ...TREASURY_SETTINGS,
  ...LIMIT_SETTINGS,
  ...OPERATORS,
  ...GAME,
  ...INTERNAL,
}

export type SettingName = keyof typeof SETTINGS

/** Whether the whole value of a setting is a password or a key. */
export const isSecretSetting = (name: string): boolean =>
  Object.entries<Setting<unknown>>(SETTINGS).some(([each, { secret }]) => each === name && secret === true)

/** The sections of docs/configuration.md. */
export const SECTIONS: {
  title: string
  before?: string
  settings: Record<string, Setting<unknown>>
  after?: string
}[] = [
  { title: 'Web and API', settings: WEB },
  { title: 'Monitoring', settings: MONITORING_SETTINGS },
  {
    title: 'Data and database',
    settings: DATABASE,
    after:
      'The embedded Postgres sets its memory and log sizes by the machine. On your own Postgres, set `shared_buffers` and\n`max_wal_size` yourself: about a quarter of the memory, and an eighth of the disk, each at most 8 GB.',
  },
  {
    title: 'Backups',
    before: 'Read by `npm start` and by `npm run ops -- backup`.',
    settings: BACKUP_SETTINGS,
  },
  {
    title: 'Operators’ console',
    before:
      'See [the console](operate/console.md). It runs only while it has a port and the operators’ file names somebody.',
    settings: CONSOLE_SETTINGS,
  },
  { title: 'Chain and token', settings: CHAIN },
  {
    title: 'Signer',
    before: 'Only the signer reads the seed. Never give these variables to another role.',
    settings: { ...SIGNER_KEYS, ...TREASURY_SETTINGS },
  },
  {
    title: 'Withdrawal limits',
    before: `A withdrawal above one of these limits is not refused. It waits until an operator approves it. There is one exception:
the api refuses a request above \`OPEN_WITHDRAWALS_PER_WALLET\`. Signer and api both read these settings, and the terms that
players read state them. When you start roles one by one, give both the same values. A change counts for requests that the
signer has not reviewed yet: what waits for an operator still waits, and what is approved is paid. On the local chain nothing
waits for an operator.`,
    settings: LIMIT_SETTINGS,
  },
  {
    title: 'Operators',
    before:
      'Who may approve withdrawals and correct balances. Only whoever runs the signer should be able to change this file.',
    settings: OPERATORS,
  },
  { title: 'Game and site', settings: GAME },
]
