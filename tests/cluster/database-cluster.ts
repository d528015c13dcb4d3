import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findFreePort } from '#server/processes/ports.ts'
import { findPostgresUser } from '#server/processes/postgres/postgres-user.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { Part } from './part.ts'
import type { Programs } from './programs.ts'

const SAMPLES = resolve(import.meta.dirname, '../../deploy/cluster')

/** The password of Postgres' superuser, in the sample and therefore here. */
export const SUPERUSER_PASSWORD = 'CHANGE-ME-1'

/** What Patroni says of a node. */
export type Member = { name: string; role: string; state: string; lag?: number | string }

export type DatabaseNode = {
  name: string
  /** Where Postgres, Patroni's REST interface and etcd listen, on 127.0.0.1. */
  ports: { postgres: number; rest: number; client: number; peer: number }
  dataDir: string
  etcd: Part
  patroni: Part
}

export type DatabaseCluster = {
  nodes: DatabaseNode[]
  /** The members as the first node that answers sees them. Empty if none answers. */
  members(): Promise<Member[]>
  /** The name of the primary, or undefined while there is none. */
  primary(): Promise<string | undefined>
  stop(): Promise<void>
}

/** Three nodes with etcd, Patroni and Postgres each, from the samples in `deploy/cluster`. Resolves when all replicate. */
export async function startDatabaseCluster(folder: string, programs: Programs): Promise<DatabaseCluster> {
  const user = findPostgresUser()
  const makeFolder = (path: string): string => {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid)
    return path
  }
  chmodSync(folder, 0o755)
  const logs = join(folder, 'logs')
  mkdirSync(logs, { recursive: true })

  const ports = await findPorts()
  const nodes = ports.map((own, index): DatabaseNode => {
    const name = `db${index + 1}`
    const home = makeFolder(join(folder, name))
    const dataDir = join(home, 'postgres')
    const etcdFile = writeFor(home, 'etcd.yml', { name, ports, own, etcd: join(home, 'etcd') })
    const patroniFile = writeFor(home, 'patroni.yml', { name, ports, own, home, dataDir, programs })
    const shared = { cwd: home, logs, user }
    const etcd = new Part({
      ...shared,
      name: `${name}-etcd`,
      program: programs.etcd,
      args: ['--config-file', etcdFile],
    })
    const patroni = new Part({
      ...shared,
      name: `${name}-patroni`,
      program: programs.patroni,
      args: [patroniFile],
    })
    return { name, ports: own, dataDir, etcd, patroni }
  })

  const members = async (): Promise<Member[]> => {
    for (const { ports } of nodes) {
      const answer = await fetch(`http://127.0.0.1:${ports.rest}/cluster`, {
        signal: AbortSignal.timeout(1000),
      }).catch(() => undefined)
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members
    }
    return []
  }
  const cluster: DatabaseCluster = {
    nodes,
    members,
    primary: async () => {
      const asked = nodes.map(async ({ name, ports }) => {
        const answer = await fetch(`http://127.0.0.1:${ports.rest}/primary`, {
          signal: AbortSignal.timeout(1000),
        })
        return answer.ok ? name : Promise.reject(new Error(name))
      })
      return Promise.any(asked).catch(() => undefined)
    },
    stop: async () => {
      await Promise.all(nodes.map(({ patroni }) => patroni.stop()))
      await Promise.all(nodes.map(({ etcd }) => etcd.stop()))
    },
  }
  for (const { etcd } of nodes) etcd.start()
  for (const { patroni } of nodes) patroni.start()
  try {
    await waitFor(
      'three database nodes',
      async () => countHealthy(assertRunning(nodes, await members())) === 3,
      90_000,
    )
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

/** How many nodes work, and one of them at least replicates synchronously. */
export function countHealthy(members: readonly Member[]): number {
  const healthy = members.filter(({ state }) => state === 'running' || state === 'streaming')
  return healthy.some(({ role }) => role === 'sync_standby') ? healthy.length : 0
}

function assertRunning<T>(nodes: readonly DatabaseNode[], passed: T): T {
  const ended = nodes.flatMap(({ etcd, patroni }) => [etcd, patroni]).find((part) => !part.isRunning)
  if (ended) throw new Error(`${ended.name} ended: ${ended.lastWords()}`)
  return passed
}

type Ports = DatabaseNode['ports']

async function findPorts(): Promise<Ports[]> {
  const nodes: Ports[] = []
  for (let index = 0; index < 3; index++) {
    const first = await findFreePort(4)
    nodes.push({ postgres: first, rest: first + 1, client: first + 2, peer: first + 3 })
  }
  return nodes
}

type Facts = { name: string; ports: Ports[]; own: Ports } & Partial<{
  etcd: string
  home: string
  dataDir: string
  programs: Programs
}>

/** Writes a sample with the addresses and folders of one node. */
function writeFor(home: string, file: string, { name, ports, own, ...facts }: Facts): string {
  const portOf: Record<string, keyof Ports> = {
    '2379': 'client',
    '2380': 'peer',
    '5432': 'postgres',
    '8008': 'rest',
  }
  let text = readFileSync(join(SAMPLES, file), 'utf8')
    // The lists of all nodes first: in them each address stays that of its node.
    .replaceAll(
      /(?:db\d=)?(?:http:\/\/)?10\.0\.0\.1(\d):(\d+)(?=,)|,(?:db\d=)?(?:http:\/\/)?10\.0\.0\.1(\d):(\d+)/g,
      (all: string) =>
        all.replace(/10\.0\.0\.1(\d):(\d+)/, (_all, node: string, port: string) => {
          return `127.0.0.1:${ports[Number(node) - 1]![portOf[port]!]}`
        }),
    )
    .replaceAll(/10\.0\.0\.11:(\d+)/g, (_all, port: string) => `127.0.0.1:${own[portOf[port]!]}`)
    .replaceAll('10.0.0.0/24', '127.0.0.1/32')
    .replace(/^name: .*$/m, `name: ${name}`)
  if (facts.etcd) text = text.replace(/^data-dir: .*$/m, `data-dir: ${facts.etcd}`)
  if (facts.home && facts.dataDir && facts.programs) {
    text = text
      .replace(/data_dir: .*/, `data_dir: ${facts.dataDir}`)
      .replace(/bin_dir: .*/, `bin_dir: ${facts.programs.postgresFolder}`)
      .replace(/pgpass: .*/, `pgpass: ${join(facts.home, 'pgpass')}`)
      .replace(/unix_socket_directories: .*/, `unix_socket_directories: ${facts.home}`)
  }
  const path = join(home, file)
  writeFileSync(path, text, { mode: 0o644 })
  return path
}
