import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { findFreePort } from '#server/processes/ports.ts'
import { findPostgresUser } from '#server/processes/postgres/postgres-user.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { Part } from './part.ts'
import type { Programs } from './programs.ts'

const SAMPLES = resolve(import.meta.dirname, '../../deploy/cluster')

/** The password of Postgres' superuser, in the sample and therefore here. */
export const SUPERUSER_PASSWORD = 'CHANGE-ME-1'

/** What Patroni asks for before it changes something: the user and the password of the sample. */
export const PATRONI_AUTHORIZATION = `Basic ${Buffer.from('patroni:CHANGE-ME-4').toString('base64')}`

/** What Patroni says of a node. */
export type Member = { name: string; role: string; state: string; lag?: number | string }

export type DatabaseNode = {
  name: string
  /** Its address: 127.0.0.1, or its own if it has a network of its own. */
  host: string
  /** Where Postgres, Patroni's REST interface and etcd listen. */
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

/** What a test may change about the nodes. */
export type NodeOptions = {
  /** Gives each node a network of its own, with the addresses and ports of the samples. */
  networks?: readonly { host: string; enter: readonly string[] }[]
  /** Called with the empty folder in which a node's Postgres will keep its data. */
  prepareDisk?(folder: string): void
  /** Called with it when the node has stopped. */
  releaseDisk?(folder: string): void
  /** Changes the text of `patroni.yml`. */
  editPatroni?(text: string): string
  /** Whether a standby acknowledges each commit, as the sample has it. */
  isSynchronous?: boolean
}

/** Three nodes with etcd, Patroni and Postgres each, from the samples in `deploy/cluster`. Resolves when all replicate. */
export async function startDatabaseCluster(
  folder: string,
  programs: Programs,
  { networks, prepareDisk, releaseDisk, editPatroni, isSynchronous = true }: NodeOptions = {},
): Promise<DatabaseCluster> {
  const user = findPostgresUser()
  const makeFolder = (path: string): string => {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid)
    return path
  }
  chmodSync(folder, 0o755)
  const logs = join(folder, 'logs')
  mkdirSync(logs, { recursive: true })

  const places = networks?.map(({ host }) => ({ host, ...SAMPLE_PORTS })) ?? (await findPlaces())
  const nodes = places.map((own, index): DatabaseNode => {
    const name = `db${index + 1}`
    const home = makeFolder(join(folder, name))
    const disk = makeFolder(join(home, 'disk'))
    prepareDisk?.(disk)
    const dataDir = join(disk, 'postgres')
    const etcdFile = writeFor(home, 'etcd.yml', { name, places, own, etcd: join(home, 'etcd') })
    const facts = { name, places, own, home, dataDir, programs }
    const patroniFile = writeFor(home, 'patroni.yml', facts, editPatroni)
    const enter = networks?.[index]?.enter
    const shared = { cwd: home, logs, user, ...(enter && { enter }) }
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
    const { host, ...ports } = own
    return { name, host, ports, dataDir, etcd, patroni }
  })

  const members = async (): Promise<Member[]> => {
    for (const { host, ports } of nodes) {
      const known = await fetch(`http://${host}:${ports.rest}/cluster`, {
        signal: AbortSignal.timeout(3000),
      })
        .then(async (answer) => (answer.ok ? ((await answer.json()) as { members: Member[] }).members : null))
        .catch(() => null)
      if (known) return known
    }
    return []
  }
  const cluster: DatabaseCluster = {
    nodes,
    members,
    primary: async () => {
      const asked = nodes.map(async ({ name, host, ports }) => {
        const answer = await fetch(`http://${host}:${ports.rest}/primary`, {
          signal: AbortSignal.timeout(3000),
        })
        return answer.ok ? name : Promise.reject(new Error(name))
      })
      return Promise.any(asked).catch(() => undefined)
    },
    stop: async () => {
      await Promise.all(nodes.map(({ patroni }) => patroni.stop()))
      await Promise.all(nodes.map(({ etcd }) => etcd.stop()))
      for (const { dataDir } of nodes) releaseDisk?.(dirname(dataDir))
    },
  }
  for (const { etcd } of nodes) etcd.start()
  for (const { patroni } of nodes) patroni.start()
  try {
    await waitFor(
      'three database nodes',
      async () => countHealthy(assertRunning(nodes, await members()), isSynchronous) === 3,
      90_000,
    )
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

/** How many nodes work; 0 unless one of them replicates synchronously. */
export function countHealthy(members: readonly Member[], isSynchronous: boolean): number {
  const healthy = members.filter(({ state }) => state === 'running' || state === 'streaming')
  return !isSynchronous || healthy.some(({ role }) => role === 'sync_standby') ? healthy.length : 0
}

function assertRunning<T>(nodes: readonly DatabaseNode[], passed: T): T {
  const ended = nodes.flatMap(({ etcd, patroni }) => [etcd, patroni]).find((part) => !part.isRunning)
  if (ended) throw new Error(`${ended.name} ended: ${ended.lastWords()}`)
  return passed
}

const SAMPLE_PORTS = { postgres: 5432, rest: 8008, client: 2379, peer: 2380 }

/** Where the parts of a node listen. */
type Place = { host: string } & DatabaseNode['ports']

async function findPlaces(): Promise<Place[]> {
  const places: Place[] = []
  for (let index = 0; index < 3; index++) {
    const first = await findFreePort(4)
    const ports = { postgres: first, rest: first + 1, client: first + 2, peer: first + 3 }
    places.push({ host: '127.0.0.1', ...ports })
  }
  return places
}

type Facts = { name: string; places: Place[]; own: Place } & Partial<{
  etcd: string
  home: string
  dataDir: string
  programs: Programs
}>

/** Writes a sample with the addresses and folders of one node. */
function writeFor(
  home: string,
  file: string,
  { name, places, own, ...facts }: Facts,
  edit = (text: string): string => text,
): string {
  const addressOf = (place: Place, port: string): string => {
    const part = Object.entries(SAMPLE_PORTS).find(([, number]) => String(number) === port)![0]
    return `${place.host}:${place[part as keyof typeof SAMPLE_PORTS]}`
  }
  // In a list of all nodes each address stays that of its node. The others are the node's own.
  const replaceIn = (line: string): string =>
    line.replaceAll(/10\.0\.0\.1(\d):(\d+)/g, (_all, node: string, port: string) =>
      addressOf(line.includes(',') ? places[Number(node) - 1]! : own, port),
    )
  const sample = readFileSync(join(SAMPLES, file), 'utf8').split('\n')
  let text = sample
    .map(replaceIn)
    .join('\n')
    .replace(/^name: .*$/m, `name: ${name}`)
  if (own.host === '127.0.0.1') text = text.replaceAll('10.0.0.0/24', '127.0.0.1/32')
  if (facts.etcd) text = text.replace(/^data-dir: .*$/m, `data-dir: ${facts.etcd}`)
  if (facts.home && facts.dataDir && facts.programs) {
    text = text
      .replace(/data_dir: .*/, `data_dir: ${facts.dataDir}`)
      .replace(/bin_dir: .*/, `bin_dir: ${facts.programs.postgresFolder}`)
      .replace(/pgpass: .*/, `pgpass: ${join(facts.home, 'pgpass')}`)
      .replace(/unix_socket_directories: .*/, `unix_socket_directories: ${facts.home}`)
  }
  const path = join(home, file)
  writeFileSync(path, edit(text), { mode: 0o644 })
  return path
}
