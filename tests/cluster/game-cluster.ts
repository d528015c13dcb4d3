import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findFreePort } from '#server/processes/ports.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { runStatements } from '#tests/support/test-postgres.ts'
import {
  type DatabaseCluster,
  type NodeOptions,
  startDatabaseCluster,
  SUPERUSER_PASSWORD,
} from './database-cluster.ts'
import { type Haproxy, startHaproxy } from './haproxy.ts'
import { Part } from './part.ts'
import { makePooler } from './pooler.ts'
import { findPrograms } from './programs.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const OWNER_PASSWORD = 'CHANGE-ME-4'

export type GameCluster = {
  /** Where players connect: HAProxy in front of the apis. */
  url: string
  /** The same for each HAProxy. The first one is `url`, and leads the roles to the primary. */
  urls: string[]
  /** The game's own URL, which wallets sign. */
  publicUrl: string
  /** The owner's login to the primary, through HAProxy. */
  databaseUrl: string
  /** The settings of the operator's shell. */
  shell: Record<string, string>
  database: DatabaseCluster
  haproxy: Part
  /** Null without PgBouncer. */
  pooler: Part | null
  apis: Part[]
  apiUrls: string[]
  watcher: Part
  signer: Part
  folder: string
  stop(): Promise<void>
}

type Options = {
  apis?: number
  /** How many HAProxies are in front of the apis. */
  proxies?: number
  settings?: Record<string, string>
  say?: (sentence: string) => void
  /** What a test changes about the database's nodes, about HAProxy, and about the processes of the apis. */
  nodes?: NodeOptions
  editHaproxy?: (text: string) => string
  apiEnvironment?: Record<string, string>
  pooler?: boolean
}

/**
 * The whole game on three database nodes, on loopback: etcd, Patroni and Postgres three times, HAProxy, a local chain,
 * a watcher, a signer and `apis` apis, with the files of `deploy/cluster`. With `pooler`, PgBouncer is between the roles and
 * HAProxy, if it can be had.
 */
export async function startGameCluster({
  apis = 2,
  proxies = 1,
  settings = {},
  say = () => {},
  nodes = {},
  editHaproxy = (text) => text,
  apiEnvironment = {},
  pooler: wantsPooler = false,
}: Options = {}): Promise<GameCluster> {
  const programs = findPrograms()
  const folder = mkdtempSync(join(tmpdir(), 'cotton-farm-cluster-'))
  const logs = join(folder, 'logs')
  mkdirSync(logs)
  const stops: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (const each of stops.toReversed()) await each()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    say('Starting three nodes with etcd, Patroni and Postgres …')
    const database = await startDatabaseCluster(folder, programs, nodes)
    stops.push(() => database.stop())

    const firstApi = await findFreePort(apis)
    const apiPorts = Array.from({ length: apis }, (_, index) => firstApi + index)
    const chain = await findFreePort(2)
    const haproxies: Haproxy[] = []
    while (haproxies.length < proxies) {
      const haproxy = await startHaproxy({
        name: haproxies.length === 0 ? 'haproxy' : `haproxy${haproxies.length + 1}`,
        program: programs.haproxy,
        folder,
        logs,
        apiPorts,
        database,
        isLimited: settings.RATE_LIMITS !== 'off',
        edit: editHaproxy,
      })
      stops.push(() => haproxy.part.stop())
      haproxies.push(haproxy)
    }
    const { part: haproxy, url, primary } = haproxies[0]!

    const superuser = `postgres://postgres:${SUPERUSER_PASSWORD}@127.0.0.1:${primary}/postgres`
    const databaseUrl = `postgres://farm_owner:${OWNER_PASSWORD}@127.0.0.1:${primary}/farm`
    // Until its first checks are over, HAProxy takes every node for the primary.
    const succeeds = (statement: string) => () =>
      runStatements(superuser, statement).then(
        () => true,
        () => false,
      )
    const owner = `create role farm_owner login createrole password '${OWNER_PASSWORD}'`
    await waitFor('the primary behind HAProxy', succeeds(owner))
    await waitFor('a database', succeeds('create database farm owner farm_owner'))

    const publicUrl = url.replace('127.0.0.1', 'localhost')
    const pooler = wantsPooler ? await makePooler({ folder, logs, primary, say }) : null
    const shell = {
      PATH: process.env.PATH ?? '',
      ...(pooler
        ? { DATABASE_URL: pooler.through(databaseUrl), DATABASE_DIRECT_URL: databaseUrl }
        : { DATABASE_URL: databaseUrl }),
      DATA_DIR: join(folder, 'game'),
      PUBLIC_URL: publicUrl,
      CHAIN_RPC_PORT: String(chain),
      TRUST_PROXY: '127.0.0.1',
      DRAIN_SECONDS: '4',
      ...settings,
    }
    say(`Starting the game with ${apis} apis …`)
    mkdirSync(shell.DATA_DIR)
    runMain(['migrate'], shell)
    if (pooler) {
      await pooler.start(superuser)
      stops.push(() => pooler.part.stop())
    }
    const role = (name: string, as = name, env: Record<string, string> = {}): Part => {
      const envFile = join(folder, `${name}.env`)
      writeFileSync(envFile, runMain(['ops', 'env', name, '--with-passwords'], shell), { mode: 0o600 })
      const args = [`--env-file=${envFile}`, join(ROOT, 'server/main.ts'), name]
      const part = new Part({
        name: as,
        program: { command: process.execPath, args, env },
        cwd: ROOT,
        logs,
      })
      part.start()
      stops.push(() => part.stop())
      return part
    }
    role('local-chain')
    const hasChain = () =>
      spawnSync(process.execPath, ['server/main.ts', 'ops', 'env', 'api'], { cwd: ROOT, env: shell })
        .status === 0
    await waitFor('the local chain', hasChain)
    const signer = role('signer')
    const watcher = role('watcher')
    const apiParts = apiPorts.map((port, index) =>
      role('api', `api${index + 1}`, { PORT: String(port), ...apiEnvironment }),
    )
    const cluster = {
      url,
      urls: haproxies.map((each) => each.url),
      publicUrl,
      databaseUrl,
      shell,
      database,
      haproxy,
      pooler: pooler?.part ?? null,
      apis: apiParts,
      apiUrls: apiPorts.map((port) => `http://127.0.0.1:${port}`),
      watcher,
      signer,
      folder,
      stop,
    }
    for (const each of cluster.urls) await waitFor('the apis behind HAProxy', () => isCovered(each), 60_000)
    return cluster
  } catch (error) {
    await stop()
    throw error
  }
}

/** Whether an api answers, and the watcher has compared the tokens with what is owed. */
async function isCovered(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
  return answer?.ok === true && (await answer.text()).includes('"covered"')
}

/** Runs a command of the operator, and returns what it printed. */
function runMain(args: readonly string[], env: Record<string, string>): string {
  const done = spawnSync(process.execPath, ['server/main.ts', ...args], { cwd: ROOT, env, encoding: 'utf8' })
  if (done.status !== 0)
    throw new Error(`${args.join(' ')} ended with ${done.status}: ${done.stderr}${done.stdout}`)
  return done.stdout
}
