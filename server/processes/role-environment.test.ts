import { resolve } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import type { Setting, SettingRole } from '#server/platform/setting.ts'
import { SETTINGS } from '#server/platform/settings.ts'
import { backupEnvironment, chainEnvironment, roleEnvironment } from './role-environment.ts'

afterEach(() => vi.unstubAllEnvs())

const chain = {
  urls: ['http://127.0.0.1:3001'],
  mint: 'So11111111111111111111111111111111111111112',
  isLocal: true,
}
const databaseUrl = 'postgres://api:pass@127.0.0.1:6432/cotton_farm'
const databaseDirectUrl = 'postgres://api:pass@127.0.0.1:5432/cotton_farm'

test('the api reads back the settings that the operator gave', () => {
  const config = readConfig({
    PORT: '4000',
    CHAIN_RPC_PORT: '3001',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://farm.example',
    X_URL: 'https://x.com/farm',
    TOKEN_URL: 'https://token.example',
    TERMS_FILE: '/etc/farm/terms.md',
    LARGE_DEPOSIT: '2500000',
    DATABASE_WAIT_SECONDS: '7',
    DB_POOL_API: '25',
    API_CALLS_PER_SECOND: '77',
    CLUSTER: 'devnet',
    FREEZABLE_TOKEN: 'allowed',
    MARKET_MODE: 'closed',
    BALANCES: 'private',
    METRICS_PORT: '9100',
    RATE_LIMITS: 'off',
    TRUST_PROXY: '10.0.0.0/8,::1',
    LOG_LEVEL: 'debug',
  })
  const received = readConfig(roleEnvironment('api', { config, chain, databaseUrl, databaseDirectUrl }))
  const own = {
    databaseUrl,
    databaseDirectUrl,
    solanaRpcUrls: chain.urls,
    cottonMint: chain.mint,
    localChain: true,
  }
  const elsewhere = { dataDir: received.dataDir, chainPort: received.chainPort }
  expect(received).toEqual({ ...config, ...own, ...elsewhere })
})

test("the chain may use the game's default port if the game uses another", () => {
  const config = readConfig({ PORT: '4000', CHAIN_RPC_PORT: '3001' })
  expect(readConfig(chainEnvironment(config)).chainPort).toBe(3001)
})

test('watcher and signer get the cold wallets, and only signer and console the file of the operators', () => {
  const config = readConfig({ COLD_WALLETS: ` ${chain.mint} ,`, OPERATORS_FILE: 'who.json' })
  expect(config.coldWallets).toEqual([chain.mint])
  const shared = { config, chain, databaseUrl, databaseDirectUrl }
  expect(readConfig(roleEnvironment('watcher', shared)).coldWallets).toEqual([chain.mint])
  expect(readConfig(roleEnvironment('signer', shared))).toMatchObject({
    coldWallets: [chain.mint],
    operatorsFile: resolve('who.json'),
  })
  expect(readConfig(roleEnvironment('console', shared)).operatorsFile).toBe(resolve('who.json'))
  for (const role of ['api', 'watcher'] as const)
    expect(roleEnvironment(role, shared)).not.toHaveProperty('OPERATORS_FILE')
  for (const role of ['api', 'console'] as const)
    expect(roleEnvironment(role, shared)).not.toHaveProperty('COLD_WALLETS')
  expect(readConfig({ DATA_DIR: '/data' }).operatorsFile).toBe('/data/operators.json')
})

test('only the signer gets the seed, and no role gets a setting of another', () => {
  vi.stubEnv('SIGNER_SEED', 'seed')
  vi.stubEnv('SIGNER_PASSPHRASE', 'opens the seed')
  vi.stubEnv('WITHDRAWAL_REVIEW_ABOVE', '77')
  vi.stubEnv('DB_PASSWORD_SIGNER', 'password')
  vi.stubEnv('DATABASE_URL', 'postgres://owner:secret@127.0.0.1/farm')
  const config = readConfig({})
  const shared = { config, chain, databaseUrl, databaseDirectUrl }
  expect(roleEnvironment('signer', shared)).toMatchObject({
    SIGNER_SEED: 'seed',
    SIGNER_PASSPHRASE: 'opens the seed',
    WITHDRAWAL_REVIEW_ABOVE: '77',
    PUBLIC_URL: config.publicUrl,
  })
  const others = [
    chainEnvironment(config),
    roleEnvironment('api', shared),
    roleEnvironment('watcher', shared),
    roleEnvironment('console', shared),
  ]
  for (const env of others) expect(JSON.stringify(env)).not.toMatch(/seed|password|owner/i)
  // A backup needs the owner's login.
  expect(JSON.stringify(backupEnvironment(config))).not.toMatch(/seed/i)
})

test('a proxy on the way to the nodes is passed on to the roles that call them, if Node is to use it', () => {
  const proxy = { HTTPS_PROXY: 'http://proxy.example:3128', NO_PROXY: 'localhost,127.0.0.1' }
  for (const [name, value] of Object.entries(proxy)) vi.stubEnv(name, value)
  vi.stubEnv('NODE_USE_ENV_PROXY', '')
  const config = readConfig({ SOLANA_RPC_URL: 'https://node.example', COTTON_MINT: chain.mint })
  const shared = { config, chain, databaseUrl, databaseDirectUrl }
  expect(roleEnvironment('signer', shared)).not.toHaveProperty('HTTPS_PROXY')
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  // The local chain is on this machine.
  expect(roleEnvironment('signer', { ...shared, config: readConfig({}) })).not.toHaveProperty('HTTPS_PROXY')
  for (const role of ['api', 'watcher', 'signer'] as const)
    expect(roleEnvironment(role, shared), role).toMatchObject({ ...proxy, NODE_USE_ENV_PROXY: '1' })
  expect(roleEnvironment('console', shared)).not.toHaveProperty('HTTPS_PROXY')
})

const settingsOf = (role: SettingRole): string[] =>
  Object.entries<Setting<unknown>>(SETTINGS)
    .filter(([, { roles }]) => roles.includes(role))
    .map(([name]) => name)

test('a role receives exactly the settings that the table lists for it', () => {
  for (const name of Object.keys(SETTINGS)) vi.stubEnv(name, '7')
  const config = readConfig({})
  const shared = { config, chain, databaseUrl, databaseDirectUrl }
  const received = (env: Record<string, string>) => Object.keys(env).filter((name) => name in SETTINGS)
  for (const role of ['api', 'watcher', 'signer', 'console'] as const)
    expect(received(roleEnvironment(role, shared)).toSorted(), role).toEqual(settingsOf(role).toSorted())
  expect(received(chainEnvironment(config)).toSorted()).toEqual(settingsOf('local-chain').toSorted())
})
