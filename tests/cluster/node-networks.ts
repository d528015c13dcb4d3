import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, statfsSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgresUser } from '#server/processes/postgres/postgres-user.ts'

const NAMES = ['db1', 'db2', 'db3']
const hostOf = (name: string): string => `10.0.0.1${name.slice(2)}`

const NOBODY = '02:00:00:00:00:01'

/** Disks are in memory, so that they can be filled. */
const DISK_SIZE = '2g'
const BALLAST = 'ballast'

/** Set in the process that `runIsolated` starts. */
const INSIDE = 'COTTON_FARM_CLUSTER_NETWORK'

/**
 * Runs this program again with its own network, mounts and processes, so that nodes can be cut off and disks filled
 * without anybody else noticing. When it ends, all of that ends with it. Returns false in the program that runs inside,
 * and where that needs root.
 */
export async function runIsolated(): Promise<boolean> {
  if (process.env[INSIDE] || process.getuid?.() !== 0) return false
  const own = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  // The first process must collect those that lost their parent. To Patroni a killed Postgres would live otherwise.
  const init = ['bash', '-c', 'ip link set lo up; "$@"; exit $?', 'init']
  const child = spawn('unshare', [...own, ...init, process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: 'yes' },
  })
  // `unshare` ignores the others. With it all that it started ends.
  const interrupt = (): void => void child.kill('SIGKILL')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt)
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
  return true
}

export type NodeNetwork = { host: string; enter: readonly string[] }

/** A network for each of three nodes, on one bridge, with the addresses of the samples. Only inside `runIsolated`. */
export function createNodeNetworks(): NodeNetwork[] | undefined {
  if (!process.env[INSIDE]) return undefined
  const { uid, gid } = findPostgresUser()
  mkdirSync('/run/netns', { recursive: true })
  run('mount -t tmpfs tmpfs /run/netns')
  run('ip link add farm type bridge')
  run('ip address add 10.0.0.1/24 dev farm')
  run('ip link set farm up')
  return NAMES.map((name) => {
    run(`ip netns add ${name}`)
    run(`ip link add ${name} type veth peer name eth0 netns ${name}`)
    run(`ip link set ${name} master farm up`)
    run(`ip -n ${name} address add ${hostOf(name)}/24 dev eth0`)
    run(`ip -n ${name} link set eth0 up`)
    run(`ip -n ${name} link set lo up`)
    const asUser = `setpriv --reuid=${uid} --regid=${gid} --clear-groups`
    return { host: hostOf(name), enter: `nsenter --net=/run/netns/${name} ${asUser}`.split(' ') }
  })
}

/** Loses what the node and the other nodes send to each other: it goes to a hardware address that nobody has. */
export function cutFromNodes(name: string, isCut: boolean): void {
  for (const other of NAMES.filter((each) => each !== name))
    for (const [from, to] of [
      [name, other],
      [other, name],
    ] as const) {
      const nobody = isCut ? `replace ${hostOf(to)} lladdr ${NOBODY} nud permanent` : `del ${hostOf(to)}`
      run(`ip -n ${from} neighbour ${nobody} dev eth0`)
    }
}

/** Pulls the node's network cable. */
export function unplug(name: string, isUnplugged: boolean): void {
  run(`ip link set ${name} ${isUnplugged ? 'down' : 'up'}`)
}

export function mountDisk(folder: string): void {
  const { uid, gid } = findPostgresUser()
  run(`mount -t tmpfs -o size=${DISK_SIZE},mode=0700,uid=${uid},gid=${gid} tmpfs ${folder}`)
}

/** Forgets what is on the disk, even while a process still has files open. */
export const unmountDisk = (folder: string): void => run(`umount --lazy ${folder}`)

/** Leaves no room for a file of Postgres's log, which has 16 MB. What the system counts as free is not exact. */
export function fillDisk(folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  for (let spareMb = 0; ; spareMb++) {
    try {
      return run(`fallocate -l ${bavail * bsize - spareMb * 2 ** 20} ${join(folder, BALLAST)}`)
    } catch (error) {
      if (spareMb === 8) throw error
    }
  }
}

export const emptyDisk = (folder: string): void => unlinkSync(join(folder, BALLAST))

function run(command: string): void {
  const [program, ...args] = command.split(' ')
  const { status, stderr } = spawnSync(program!, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`)
}
