import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const mint = 'So11111111111111111111111111111111111111112'

test('without settings the game uses port 3001, an embedded database and a local chain', () => {
  expect(readConfig({})).toMatchObject({
    port: 3001,
    publicUrl: 'http://localhost:3001',
    databaseUrl: '',
    solanaRpcUrls: [],
    chainPort: 8899,
    marketMode: 'auto',
    rateLimits: true,
    trustProxy: false,
  })
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', MARKET_MODE: ' ', DATA_DIR: '' })).toEqual(readConfig({}))
})

test.for([
  ['PORT', '3001x'],
  ['PORT', '-1'],
  ['PORT', '65536'],
  ['PORT', '1e3'],
  ['CHAIN_RPC_PORT', 'eight'],
  ['METRICS_PORT', '0x50'],
  ['DATABASE_URL', 'localhost:5432'],
  ['DATABASE_URL', 'mysql://localhost/farm'],
  ['DATABASE_DIRECT_URL', 'mysql://localhost/farm'],
  ['DB_POOL_API', '0'],
  ['SOLANA_RPC_URL', 'api.mainnet-beta.solana.com'],
  ['COTTON_MINT', '0xdeadbeef'],
  ['PUBLIC_URL', 'farm.example'],
  ['PUBLIC_URL', 'https://farm.example/play'],
  ['X_URL', 'javascript:alert(1)'],
  ['TOKEN_URL', 'nowhere'],
  ['FREEZABLE_TOKEN', 'yes'],
  ['COLD_WALLETS', 'safe'],
  ['COLD_WALLETS', `${mint}, 0xdeadbeef`],
  // A copy that lacks the last character.
  ['COLD_WALLETS', mint.slice(0, -1)],
  ['COLD_WALLETS', Array.from({ length: 21 }, () => mint).join()],
  ['MARKET_MODE', 'ajar'],
  ['BALANCES', 'hidden'],
  ['RATE_LIMITS', 'false'],
  ['BACKUP_EVERY', '36h'],
  ['BACKUP_EVERY', '2d'],
  ['BACKUP_EVERY', 'daily'],
  ['LOG_LEVEL', 'loud'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '10.0.0.256'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '::1, fd00::/129'],
  ['TRUST_PROXY', '1.2.3'],
  ['LARGE_DEPOSIT', '1e5'],
  ['LARGE_DEPOSIT', '-1'],
  ['LARGE_DEPOSIT', '10000000000'],
] as const)('an invalid %s (%s) is refused by name', ([name, value]) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} is `))
})

test('a value in quotation marks is refused, so that no folder with such a name is created', () => {
  for (const value of ['"/data"', "'/data' "])
    expect(() => readConfig({ DATA_DIR: value })).toThrow(
      'DATA_DIR is in quotation marks: write the value without them.',
    )
  expect(readConfig({ DATA_DIR: '/data/"old"' }).dataDir).toBe('/data/"old"')
})

test('a refused amount or list says what is possible', () => {
  expect(() => readConfig({ LARGE_DEPOSIT: '10000000000' })).toThrow(
    'LARGE_DEPOSIT is "10000000000", which is not a whole amount of $COTTON (0 to 8589934591).',
  )
  expect(() => readConfig({ COLD_WALLETS: Array.from({ length: 21 }, () => mint).join() })).toThrow(
    'COLD_WALLETS is a list of 21: at most 20 are possible.',
  )
})

test('a direct URL of the database needs the one that it stands beside', () => {
  const [pooled, direct] = ['postgres://farm@pooler:6432/farm', 'postgres://farm@db:5432/farm']
  expect(() => readConfig({ DATABASE_DIRECT_URL: direct })).toThrow(/^DATABASE_URL is missing/)
  expect(readConfig({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct }).databaseDirectUrl).toBe(direct)
  expect(readConfig({ DATABASE_URL: pooled }).databaseDirectUrl).toBe(pooled)
})

test('an RPC URL without a mint is refused', () => {
  expect(() => readConfig({ SOLANA_RPC_URL: 'https://rpc.example' })).toThrow(/^COTTON_MINT is missing/)
  const config = readConfig({ SOLANA_RPC_URL: 'https://a.example, https://b.example', COTTON_MINT: mint })
  expect(config.solanaRpcUrls).toEqual(['https://a.example', 'https://b.example'])
})

test('two listeners cannot have the same port', () => {
  expect(() => readConfig({ PORT: '8899' })).toThrow(/PORT and CHAIN_RPC_PORT are both 8899/)
  expect(() => readConfig({ METRICS_PORT: '3001' })).toThrow(/PORT and METRICS_PORT are both 3001/)
  expect(() => readConfig({ PORT: '8900' })).toThrow(
    /^PORT is 8900, where the local chain serves its WebSocket/,
  )
  expect(() => readConfig({ METRICS_PORT: '8900' })).toThrow(/^METRICS_PORT is 8900, where/)
  expect(readConfig({ PORT: '8900', SOLANA_RPC_URL: 'https://a.example', COTTON_MINT: mint }).port).toBe(8900)
})

test('a role is not refused for the default port of another role, only for two ports of its own', () => {
  expect(() => readConfig({ CONSOLE_PORT: '3001' })).toThrow(/^PORT and CONSOLE_PORT are both 3001/)
  for (const port of [3001, 8899, 8900])
    expect(readConfig({ CONSOLE_PORT: String(port) }, 'console').consolePort).toBe(port)
  expect(readConfig({ METRICS_PORT: '3001' }, 'watcher').metricsPort).toBe(3001)
  for (const role of ['api', 'local-chain'])
    expect(() => readConfig({ METRICS_PORT: '3001' }, role)).toThrow(/^PORT and METRICS_PORT are both 3001/)
})

test('a refused DATABASE_URL does not show its password', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://me:hunter2@localhost/farm' })).not.toThrow(/hunter2/)
  expect(() => readConfig({ DATABASE_URL: 'mysql://me:hunter2@localhost/farm' })).toThrow(/DATABASE_URL/)
})

test('a refused SOLANA_RPC_URL does not show the key of its provider', () => {
  for (const url of ['a.example/?api-key=hunter2', 'wss://a.example/hunter2', 'https://b.example, hunter2']) {
    expect(() => readConfig({ SOLANA_RPC_URL: url })).not.toThrow(/hunter2/)
    expect(() => readConfig({ SOLANA_RPC_URL: url })).toThrow(/^SOLANA_RPC_URL is "…", which is not/)
  }
})

test('proxies are trusted by number of hops or by address', () => {
  expect(readConfig({ TRUST_PROXY: '1' }).trustProxy).toBe(1)
  expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toEqual(['10.0.0.0/8', '::1'])
})
