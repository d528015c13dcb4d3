import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '#server/processes/ports.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { COMPILE_CACHE, makeDataDir, waitFor } from '#tests/support/run-server.ts'

const ROOT = resolve(import.meta.dirname, '../..')

let folder: ReturnType<typeof makeDataDir>
let database: FreshDatabase
/** The environment of the operator's shell. */
let shell: Record<string, string>
const running: ChildProcess[] = []

/** A chain that does not answer, as settings. */
const chain = {
  SOLANA_RPC_URL: 'http://127.0.0.1:9',
  COTTON_MINT: 'So11111111111111111111111111111111111111112',
}

beforeAll(async () => {
  folder = makeDataDir()
  database = await freshDatabase()
  const [port, chainPort] = [await findFreePort(), await findFreePort(2)]
  shell = {
    ...database.environment,
    ...COMPILE_CACHE,
    PATH: process.env.PATH ?? '',
    DATA_DIR: folder.dataDir,
    PORT: String(port),
    CHAIN_RPC_PORT: String(chainPort),
    DATABASE_WAIT_SECONDS: '5',
  }
})

afterAll(async () => {
  for (const child of running.toReversed()) {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined
    child.kill('SIGTERM')
    await ended
  }
  await database.drop()
  folder.remove()
})

const main = (args: string[], env = shell) =>
  spawnSync(process.execPath, ['server/main.ts', ...args], { cwd: ROOT, encoding: 'utf8', env })

const fileOf = (role: string) => join(folder.dataDir, `${role}.env`)

type Started = { child: ChildProcess; output(): string }

/** Starts a role with only the file that `ops env` prints. */
function start(role: string): Started {
  const printed = main(['ops', 'env', role, '--with-passwords'])
  expect(printed.status, printed.stderr).toBe(0)
  writeFileSync(fileOf(role), printed.stdout, { mode: 0o600 })
  return startAgain(role)
}

function startAgain(role: string): Started {
  const child = spawn(process.execPath, [`--env-file=${fileOf(role)}`, 'server/main.ts', role], {
    cwd: ROOT,
    env: {},
  })
  running.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  return { child, output: () => output }
}

async function stop({ child }: Started): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

test('each role runs on its own with the settings that "ops env" prints', { tags: 'variant' }, async () => {
  expect(main(['ops', 'env', 'api']).stderr).toMatch(
    /^No SOLANA_RPC_URL is set, and no local chain answers at/,
  )
  const localChain = start('local-chain')
  await waitFor('the chain', () => main(['ops', 'env', 'api']).status === 0)
  const roles = ['signer', 'watcher', 'api'].map(start)
  const url = `http://localhost:${shell.PORT}`
  await waitFor('the api to report a covered reserve', async () => {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    return answer?.ok && (await answer.text()).includes('"covered"')
  })
  const { cluster } = (await (await fetch(`${url}/api/chain`)).json()) as { cluster: string }
  expect(cluster).toBe('local')
  // No warnings: each role has its own login, and the public-facing roles are confined.
  for (const { child, output } of roles) expect([child.exitCode, output()]).toEqual([null, ''])

  // An api of this game starts without the chain, and uses it once it answers.
  await stop(roles[2]!)
  await stop(localChain)
  const api = startAgain('api')
  await waitFor('the api', async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok)
  expect(await (await fetch(`${url}/api/chain`)).json()).toMatchObject({ cluster, decimals: 6 })
  await waitFor('its log', () => api.output().includes('no Solana node answers'))
  startAgain('local-chain')
  await waitFor('the check', () => api.output().includes('the chain is the one of this database'))
  expect(api.child.exitCode).toBe(null)
})

test('a signal opens no debugger in a role that runs on its own, even while it loads', () => {
  for (const role of ['local-chain', 'signer', 'watcher', 'api'])
    expect(main(['ops', 'env', role], { ...shell, ...chain }).stdout).toMatch(
      /^NODE_OPTIONS='?--disable-sigusr1['\s]/m,
    )
})

test('passwords are printed on request only, and each role gets only its own', () => {
  const secrets = {
    ALERT_WEBHOOK_URL: 'https://hooks.example/SECRET',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example',
    OTEL_EXPORTER_OTLP_HEADERS: 'key=SECRET',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'key=SECRET',
    SOLANA_RPC_URL:
      'https://a.example/SECRET,https://u:SECRET@b.example,https://c.example?key=SECRET,https://d.example',
    COTTON_MINT: 'So11111111111111111111111111111111111111112',
    NODE_USE_ENV_PROXY: '1',
    HTTPS_PROXY: 'http://u:SECRET@proxy.example:3128',
  }
  // The watcher has the next port. It is the default of PORT, which is another one here.
  const { stdout } = main(['ops', 'env', 'watcher'], { ...shell, ...secrets, METRICS_PORT: '3000' })
  expect(stdout).toContain('DATABASE_URL=postgres://watcher:<password>@')
  expect(stdout).not.toContain(shell.DB_PASSWORD_WATCHER)
  expect(stdout).toContain('ALERT_WEBHOOK_URL=<password>')
  expect(stdout).toContain('HTTPS_PROXY=http://<password>@proxy.example:3128\n')
  // Node reads NODE_USE_ENV_PROXY of a file too late.
  expect(stdout).toMatch(/^NODE_OPTIONS='--disable-sigusr1 --use-env-proxy /m)
  expect(stdout).toContain('METRICS_PORT=3001')
  const hosts = ['a', 'b', 'c'].map((name) => `https://${name}.example/<password>`)
  expect(stdout).toContain(`SOLANA_RPC_URL=${[...hosts, 'https://d.example'].join(',')}\n`)
  expect(stdout).not.toContain('SECRET')
  const { stdout: openly } = main(['ops', 'env', 'watcher', '--with-passwords'], { ...shell, ...chain })
  expect(openly).toContain(shell.DB_PASSWORD_WATCHER)
  for (const other of ['API', 'SIGNER']) expect(openly).not.toContain(shell[`DB_PASSWORD_${other}`])
  expect(openly).not.toContain(folder.dataDir)
  expect(main(['ops', 'env', 'mayor']).stderr).toBe(
    '"ops env" takes one of api, watcher, signer, console, local-chain, migrate, and --with-passwords or nothing.\n',
  )
  expect(main(['ops', 'env', 'api'], { ...shell, DATABASE_URL: '' }).stderr).toMatch(
    /^DATABASE_URL is missing:/,
  )
})

test('migrate runs with the file that "ops env" prints, also where passwords are settings', () => {
  const printed = main(['ops', 'env', 'migrate', '--with-passwords'])
  writeFileSync(fileOf('migrate'), printed.stdout, { mode: 0o600 })
  const args = [`--env-file=${fileOf('migrate')}`, 'server/main.ts', 'migrate']
  const migrated = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env: {} })
  expect([migrated.stderr, migrated.stdout]).toEqual(['', 'The schema is up to date.\n'])
  expect(main(['ops', 'env', 'migrate']).stdout).toContain('DB_PASSWORD_API=<password>')
})

test('a role refuses the owner’s login with one sentence', () => {
  for (const role of ['api', 'watcher', 'signer']) {
    const { status, stderr } = main([role], { ...shell, ...chain, LOG_LEVEL: 'error' })
    expect(stderr).toBe(
      `The role ${role} needs the database login "${role}", and DATABASE_URL has "owner": "npm run ops -- env ${role}" prints what it needs.\n`,
    )
    expect(status).toBe(1)
  }
})
