import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses } from '../list-processes.ts'
import { StartupError } from '#server/platform/startup-error.ts'

/** The `cluster_name` of a cluster, which stands in the titles of its processes. */
export const clusterNameOf = (cluster: string): string =>
  `cotton-farm-${createHash('sha256').update(cluster).digest('hex').slice(0, 12)}`

/**
 * Stops an orphaned Postgres in the folder `cluster` and removes its `postmaster.pid`. After kill -9 of the server, its Postgres is
 * still running. After kill -9 of Postgres, its other processes need a moment to exit, and its pid may look alive (a zombie,
 * or a reused number), which Postgres takes for a running server. The caller holds the lock of the data folder, so no live
 * server uses what still runs here.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const deadline = Date.now() + 30_000
  for (let attempt = 0; ; attempt++) {
    const remaining = listProcesses().filter(({ command }) => belongsToCluster(command, cluster))
    if (remaining.length === 0) break
    if (Date.now() > deadline) {
      const pids = remaining.map(({ pid }) => pid).join(', ')
      throw new StartupError(
        `An old Postgres still runs in ${cluster} and does not stop: end process ${pids}.`,
      )
    }
    // A fast shutdown first (a checkpoint, no recovery), then an immediate one. Never SIGKILL, which Postgres treats as a crash.
    const postmaster = remaining.find(({ command }) => command.includes(cluster))
    if (postmaster && attempt === 0) sendSignal(postmaster.pid, 'SIGINT')
    if (postmaster && attempt === 100) sendSignal(postmaster.pid, 'SIGQUIT')
    await sleep(100)
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

const belongsToCluster = (command: string, cluster: string): boolean =>
  command.startsWith(`postgres: ${clusterNameOf(cluster)}:`) ||
  (/\bpostgres\b/.test(command) && command.includes(`-D ${cluster} `))

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has exited by itself.
  }
}
