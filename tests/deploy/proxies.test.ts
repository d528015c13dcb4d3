/** @module-tag variant */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Db, openDb, rowOf, sql } from '#server/platform/db/db.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { hasIPv6 } from '#tests/support/has-ipv6.ts'
import { HAPROXY_PACKAGES, haproxySample } from '#tests/support/haproxy-sample.ts'
import { COMPILE_CACHE, makeDataDir, waitFor } from '#tests/support/run-server.ts'
import { openSocket } from '#tests/support/test-socket.ts'
import { createTestWorld } from '#tests/support/test-world.ts'
import { unpackDebianProgram } from './debian-program.ts'
import { writeNginxSample } from './nginx-sample.ts'
import { startLoad } from './rolling-load.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** How often both apis are restarted behind each proxy: 20 in `npm run test:proxies`, else 0. */
const ROUNDS = Number(process.env.ROLLING_RESTARTS ?? 0)

// Longer than the interval of any health check in the samples.
const NOTICED_MS = 2_500

let folder: ReturnType<typeof makeDataDir>
let database: FreshDatabase
let db: Db
let shell: Record<string, string>
/** The running apis by their ports. */
const apis = new Map<number, ChildProcess>()
const running = new Set<ChildProcess>()

type Proxy = {
  name: string
  packages: string[]
  program: string
  /** Writes the sample with the ports of this test instead of its own, and returns the command's arguments and settings. */
  prepare(ports: { own: number; apis: readonly number[] }): { args: string[]; env?: Record<string, string> }
}

const PROXIES: Proxy[] = [
  {
    name: 'Caddy',
    packages: ['caddy'],
    program: 'usr/bin/caddy',
    prepare: ({ own, apis }) => ({
      args: ['run', '--adapter', 'caddyfile', '--config', join(ROOT, 'deploy/proxy/Caddyfile')],
      env: {
        FARM_HOST: `http://127.0.0.1:${own}`,
        FARM_API: apis.map((port) => `127.0.0.1:${port}`).join(' '),
        HOME: folder.dataDir,
      },
    }),
  },
  {
    name: 'nginx',
    packages: ['nginx'],
    program: 'usr/sbin/nginx',
    prepare: (ports) => ({ args: writeNginxSample(folder.dataDir, ports) }),
  },
  {
    name: 'HAProxy',
    packages: HAPROXY_PACKAGES,
    program: 'usr/sbin/haproxy',
    prepare(ports) {
      const file = join(folder.dataDir, 'haproxy.cfg')
      writeFileSync(file, haproxySample(ports))
      return { args: ['-db', '-f', file] }
    },
  },
]

beforeAll(async () => {
  folder = makeDataDir()
  database = await freshDatabase()
  db = openDb(database.url, { max: 4, applicationName: 'test' })
  shell = {
    ...database.environment,
    ...COMPILE_CACHE,
    PATH: process.env.PATH ?? '',
    DATA_DIR: folder.dataDir,
    CHAIN_RPC_PORT: String(await findFreePort(2)),
    TRUST_PROXY: '127.0.0.1',
    // Wallets sign its host, so both apis need the same.
    PUBLIC_URL: 'https://farm.example',
    DRAIN_SECONDS: '2',
  }
  mkdirSync(join(folder.dataDir, 'env'), { recursive: true })
  startRole('local-chain')
  await waitFor('the chain', () => main(['ops', 'env', 'api']).status === 0)
  startRole('signer')
  for (const port of [await findFreePort(), await findFreePort()]) apis.set(port, await startApi(port))
})

afterAll(async () => {
  await Promise.all([...running].map(stop))
  await db.end()
  await database.drop()
  folder.remove()
})

const readHired = sql({
  name: 'test-hired',
  params: { wallets: 'text[]' },
  row: rowOf<{ id: string }>(),
  text: ({ wallets }) =>
    `select worker_id as id from workers where wallet = any (${wallets}) order by worker_id`,
})

const main = (args: string[], env = shell) =>
  spawnSync(process.execPath, ['server/main.ts', ...args], { cwd: ROOT, encoding: 'utf8', env })

function startRole(role: string, env: Record<string, string> = {}): ChildProcess {
  const printed = main(['ops', 'env', role, '--with-passwords'], { ...shell, ...env })
  expect(printed.status, printed.stderr).toBe(0)
  const file = join(folder.dataDir, 'env', `${role}-${env.PORT ?? ''}`)
  writeFileSync(file, printed.stdout, { mode: 0o600 })
  return run(process.execPath, [`--env-file=${file}`, 'server/main.ts', role], {})
}

async function startApi(port: number): Promise<ChildProcess> {
  const api = startRole('api', { PORT: String(port) })
  await waitFor('the api', async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok)
  return api
}

function run(program: string, args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

const restartEach = async (): Promise<void> => {
  for (const [port, api] of apis) {
    await stop(api)
    apis.set(port, await startApi(port))
    await sleep(NOTICED_MS)
  }
}

test.for(PROXIES)(
  '$name serves the game, and rolling restarts fail no request',
  { timeout: 60_000 + ROUNDS * 60_000 },
  async (proxy, { skip }) => {
    const program = unpackDebianProgram(proxy.packages, proxy.program)
    if (!program) return skip(`apt-get cannot download ${proxy.name} here`)
    const own = await findFreePort()
    const { args, env = {} } = proxy.prepare({ own, apis: [...apis.keys()] })
    const child = run(program.path, args, { ...program.env, ...env })
    const url = `http://127.0.0.1:${own}`
    const socketUrl = `ws://127.0.0.1:${own}/ws`
    await waitFor(proxy.name, async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok)
    // Caddy listens on every address anyway, and here serves the host 127.0.0.1 only.
    if (hasIPv6 && proxy.name !== 'Caddy')
      expect((await fetch(`http://[::1]:${own}/readyz`)).status).toBe(200)

    // A client that invents addresses is still one caller, with at most 50 sockets on each api.
    const forged = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) =>
        openSocket(socketUrl, { headers: { 'x-forwarded-for': `198.51.100.${n}` } }),
      ),
    )
    const opened = forged.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(opened.length).toBe(100)
    for (const { socket } of opened) socket.close()
    await Promise.all(opened.map((each) => each.closed))

    const tooLarge = await fetch(`${url}/api/users/nonce`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ walletAddress: 'x'.repeat(20_000) }),
    })
    // The game refuses it before it has arrived, which to Caddy sometimes looks like a broken upstream.
    expect([413, 502]).toContain(tooLarge.status)

    const world = createTestWorld(db, database)
    const players = await Promise.all(
      Array.from({ length: 3 }, () => world.player({ deposited: 500_000_000 })),
    )
    const stopLoad = await startLoad({ url, players, sockets: 12 })
    for (let round = 0; round < ROUNDS; round++) await restartEach()
    if (ROUNDS === 0) await sleep(500)
    const { reads, hires, repeated, hired, moves } = await stopLoad()
    const times = moves.map(({ tookMs }) => Math.round(tookMs)).toSorted((a, b) => a - b)
    const measured = {
      rounds: ROUNDS,
      reads,
      hires,
      repeated,
      moves: times.length,
      ms: [0.5, 0.9, 0.99, 1].map((share) => times[Math.ceil(times.length * share) - 1]),
    }
    if (ROUNDS > 0) process.stdout.write(`${proxy.name}: ${JSON.stringify(measured)}\n`)
    // No request failed, and none was cut off in a batch that was committed. nginx looks at no health check: it may send a
    // request to an api in the moment in which that closes its port, and repeats only what it could not send.
    expect(repeated).toBeLessThanOrEqual(proxy.name === 'nginx' ? ROUNDS / 5 : 0)
    expect([Object.keys(reads), Object.keys(hires)]).toEqual([['200'], ['200']])
    const stored = await db.rows(readHired, { wallets: players.map(({ wallet }) => wallet) })
    expect(stored.map(({ id }) => id)).toEqual(hired.toSorted())
    // Sockets were told to reconnect, and most were back within a second. The api that starts meanwhile delays some,
    // and so does whatever else this machine does.
    expect(moves.length).toBeGreaterThanOrEqual(ROUNDS)
    expect([...new Set(moves.map(({ code }) => code))]).toEqual(ROUNDS > 0 ? [1001] : [])
    expect(times[Math.floor(times.length / 2)] ?? 0).toBeLessThan(1_500)
    expect(times).not.toContain(Infinity)
    await stop(child)
  },
)
