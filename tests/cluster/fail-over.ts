import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcessTree, waitFor } from '#tests/support/run-server.ts'
import { runStatements } from '#tests/support/test-postgres.ts'
import {
  countHealthy,
  type DatabaseNode,
  PATRONI_AUTHORIZATION,
  SUPERUSER_PASSWORD,
} from './database-cluster.ts'
import type { GameCluster } from './game-cluster.ts'
import { cutFromNodes, emptyDisk, fillDisk, unplug } from './node-networks.ts'
import type { Part } from './part.ts'

/** How long a node is frozen, or has no network or power. Longer than `ttl`, after which another one may take over. */
const AWAY_MS = 25_000
/** How long a killed etcd stays away. */
const ETCD_AWAY_MS = 3_000
const DISK_FULL_MS = 30_000
/** `hard-stop-after` of the sample, and some more. */
const RELOAD_MS = 33_000
/** An api that restarts waits for its sockets and requests. */
const RESTART_LIMIT_MS = 120_000
/** For so long the old primary answers again before it counts as the one that stayed. */
const SAME_MS = 6_000
/** A standby that has not come back by then is made anew. */
const REJOIN_MS = 90_000

type Kind = {
  /** Another node becomes primary. */
  isFailover: boolean
  /** Needs networks and disks of the test's own. */
  isIsolated?: boolean
  /** Needs PgBouncer between the roles and HAProxy. */
  isPooled?: boolean
  run(cluster: GameCluster, primary: DatabaseNode): Promise<void>
}

/** What happens to the cluster. Each ends by itself. */
const KINDS = {
  kill: { isFailover: true, run: async (_, node) => process.kill(postgresPid(node), 'SIGKILL') && undefined },
  power: { isFailover: true, run: (_, node) => losePower(node) },
  freeze: { isFailover: true, run: (_, node) => freezePids(listPids(node)) },
  patroni: { isFailover: true, run: (_, { patroni }) => freezePids([patroni.pid!]) },
  partition: { isFailover: true, isIsolated: true, run: (_, { name }) => isolate(cutFromNodes, name) },
  unplug: { isFailover: true, isIsolated: true, run: (_, { name }) => isolate(unplug, name) },
  disk: { isFailover: true, isIsolated: true, run: fillDiskOf },
  switchover: { isFailover: true, run: (_, node) => switchOver(node) },
  standby: { isFailover: false, run: killStandby },
  etcd: { isFailover: false, run: restartEtcdLeader },
  haproxy: { isFailover: false, run: reloadHaproxy },
  'haproxy-restart': { isFailover: false, run: ({ haproxy }) => restart(haproxy, 'SIGTERM') },
  // As its service does: it lets transactions end.
  pooler: { isFailover: false, isPooled: true, run: ({ pooler }) => restart(pooler!, 'SIGINT') },
  apis: { isFailover: false, run: (cluster) => restartApis(cluster) },
} satisfies Record<string, Kind>

export type KindName = keyof typeof KINDS
export const KIND_NAMES = Object.keys(KINDS) as KindName[]

export const needsIsolation = (name: KindName): boolean => (KINDS[name] as Kind).isIsolated === true
export const needsPooler = (name: KindName): boolean => (KINDS[name] as Kind).isPooled === true

/**
 * Lets it happen, and resolves when all nodes work again: with the time until another node is primary in ms, which is
 * Patroni's floor for the time without writes, or null if the primary stays.
 */
export async function causeFailure(
  cluster: GameCluster,
  name: KindName,
  { isSynchronous = true } = {},
): Promise<number | null> {
  const { database } = cluster
  const kind: Kind = KINDS[name]
  const primary = await waitFor('a primary', () => database.primary())
  const node = database.nodes.find((each) => each.name === primary)!
  const from = Date.now()
  const isOver = { value: false }
  const replaced = kind.isFailover ? findReplacement(cluster, node, isOver) : null
  await kind.run(cluster, node)
  isOver.value = true
  const replacedAt = await replaced
  const areHealthy = async () => countHealthy(await database.members(), isSynchronous) === 3
  await waitFor('three nodes again', areHealthy, REJOIN_MS).catch(() => reinitialize(cluster))
  await waitFor('three nodes again', areHealthy, 120_000)
  return replacedAt === null ? null : replacedAt - from
}

/** What an operator does with a standby that cannot follow: `patronictl reinit`. */
async function reinitialize({ database }: GameCluster): Promise<void> {
  for (const { name, role, state } of await database.members()) {
    if (role === 'leader' || state === 'running' || state === 'streaming') continue
    const { host, ports } = database.nodes.find((node) => node.name === name)!
    const body = JSON.stringify({ force: true })
    const headers = { authorization: PATRONI_AUTHORIZATION }
    await fetch(`http://${host}:${ports.rest}/reinitialize`, { method: 'POST', headers, body })
  }
}

/** When another node became primary; null if the old one is primary when it is over, and stays so for a while. */
async function findReplacement(
  cluster: GameCluster,
  node: DatabaseNode,
  isOver: { value: boolean },
): Promise<number | null> {
  let sameSince = Infinity
  const probe = async () => {
    if (await hasOtherPrimary(cluster, node)) return { at: Date.now() }
    const isSame = isOver.value && (await cluster.database.primary()) === node.name
    sameSince = isSame ? Math.min(sameSince, Date.now()) : Infinity
    return Date.now() - sameSince > SAME_MS ? { at: null } : null
  }
  return (await waitFor('a primary', probe, 120_000)).at
}

async function hasOtherPrimary({ database }: GameCluster, { name }: DatabaseNode): Promise<boolean> {
  const others = database.nodes.filter((node) => node.name !== name)
  const answers = others.map(({ host, ports }) =>
    fetch(`http://${host}:${ports.rest}/primary`, { signal: AbortSignal.timeout(1000) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return (await Promise.all(answers)).includes(true)
}

const postgresPid = ({ dataDir }: DatabaseNode): number =>
  Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n', 1)[0])

/** Sends a signal to Patroni, Postgres and, if asked, etcd of a node, at the same moment as far as that goes. */
function listPids({ patroni, etcd, ...node }: DatabaseNode, { withEtcd = false } = {}): number[] {
  const roots = [patroni.pid!, postgresPid({ patroni, etcd, ...node }), ...(withEtcd ? [etcd.pid!] : [])]
  return [...new Set(roots.flatMap((pid) => listProcessTree(pid).map((each) => each.pid)))]
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // A process of Postgres that ended meanwhile.
    }
  }
}

/** Stops processes without ending them, as a machine does that hangs, and lets them go on later. */
async function freezePids(pids: readonly number[]): Promise<void> {
  signalAll(pids, 'SIGSTOP')
  await sleep(AWAY_MS)
  signalAll(pids, 'SIGCONT')
}

/** All processes of the node stand still and are then gone at once. The machine starts again later. */
async function losePower(node: DatabaseNode): Promise<void> {
  const pids = listPids(node, { withEtcd: true })
  signalAll(pids, 'SIGSTOP')
  signalAll(pids, 'SIGKILL')
  await sleep(AWAY_MS)
  node.etcd.start()
  node.patroni.start()
}

async function isolate(cut: (name: string, isCut: boolean) => void, name: string): Promise<void> {
  cut(name, true)
  await sleep(AWAY_MS)
  cut(name, false)
}

/** Fills the primary's disk. It fails when it needs a new file for its log, which is asked for to save time. */
async function fillDiskOf(cluster: GameCluster, node: DatabaseNode): Promise<void> {
  const disk = dirname(node.dataDir)
  fillDisk(disk)
  const deadline = Date.now() + DISK_FULL_MS
  const url = `postgres://postgres:${SUPERUSER_PASSWORD}@${node.host}:${node.ports.postgres}/postgres`
  while (Date.now() < deadline && !(await hasOtherPrimary(cluster, node))) {
    await runStatements(url, 'select pg_switch_wal()').catch(() => undefined)
    await sleep(200)
  }
  emptyDisk(disk)
}

async function switchOver({ name, host, ports }: DatabaseNode): Promise<void> {
  const answer = await fetch(`http://${host}:${ports.rest}/switchover`, {
    method: 'POST',
    headers: { authorization: PATRONI_AUTHORIZATION },
    body: JSON.stringify({ leader: name }),
  })
  if (!answer.ok) throw new Error(`The switchover was refused: ${await answer.text()}`)
}

/** Kills the standby that acknowledges the commits. */
async function killStandby({ database }: GameCluster): Promise<void> {
  const members = await database.members()
  const standby = members.find(({ role }) => role === 'sync_standby') ?? members[1]
  process.kill(postgresPid(database.nodes.find(({ name }) => name === standby?.name)!), 'SIGKILL')
  await sleep(5000)
}

async function restartEtcdLeader({ database }: GameCluster): Promise<void> {
  for (const { etcd, host, ports } of database.nodes) {
    const answer = await fetch(`http://${host}:${ports.client}/v3/maintenance/status`, {
      method: 'POST',
      body: '{}',
    })
    const { header, leader } = (await answer.json()) as { header: { member_id: string }; leader: string }
    if (header.member_id !== leader) continue
    await etcd.stop('SIGKILL')
    await sleep(ETCD_AWAY_MS)
    etcd.start()
    await sleep(5000)
    return
  }
  throw new Error('No node of etcd says that it is the leader.')
}

/** The old process serves its connections for a while, and ends those that are left. */
async function reloadHaproxy({ haproxy }: GameCluster): Promise<void> {
  haproxy.signal('SIGUSR2')
  await sleep(RELOAD_MS)
}

async function restart(part: Part, signal: NodeJS.Signals): Promise<void> {
  await part.stop(signal)
  part.start()
}

/** One api after the other, and the next one only when the last one serves. `restarted` gets the time that each took. */
export async function restartApis(
  { apis, apiUrls }: GameCluster,
  restarted: (name: string, tookMs: number) => void = () => {},
): Promise<void> {
  for (const [index, api] of apis.entries()) {
    const from = performance.now()
    await api.stop('SIGTERM', RESTART_LIMIT_MS)
    api.start()
    const isReady = () =>
      fetch(`${apiUrls[index]}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => ok,
        () => false,
      )
    await waitFor(`${api.name} to be ready`, isReady, RESTART_LIMIT_MS)
    // HAProxy sees it in half a second.
    await sleep(1_500)
    restarted(api.name, performance.now() - from)
  }
}
