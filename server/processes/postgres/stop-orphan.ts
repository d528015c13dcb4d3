import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses } from '../list-processes.ts'
import { StartupError } from '#server/platform/startup-error.ts'

/**
 * Leaves no Postgres process and no `postmaster.pid` behind in `dataDir`. After kill -9 of the server alone its
 * Postgres lives on; after kill -9 of Postgres its other processes need a moment to notice, and its pid may look
 * alive (a zombie nobody waits for, or a number given to another process), which Postgres takes for a running
 * server. The caller holds the lock of the data folder, so whatever still runs here is nobody's.
 */
export async function stopOrphan({
  dataDir,
  clusterName,
}: {
  dataDir: string
  clusterName: string
}): Promise<void> {
  const deadline = Date.now() + 30_000
  for (let attempt = 0; ; attempt++) {
    const remaining = listProcesses().filter(({ command }) =>
      belongsToCluster(command, { dataDir, clusterName }),
    )
    if (remaining.length === 0) break
    if (Date.now() > deadline) {
      const pids = remaining.map(({ pid }) => pid).join(', ')
      throw new StartupError(
        `An old Postgres still runs in ${dataDir} and does not stop: end process ${pids}.`,
      )
    }
    // Fast first (a checkpoint, no recovery needed), then immediate; never SIGKILL, it is Postgres' own word for a crash.
    const postmaster = remaining.find(({ command }) => command.includes(dataDir))
    if (postmaster && attempt === 0) sendSignal(postmaster.pid, 'SIGINT')
    if (postmaster && attempt === 100) sendSignal(postmaster.pid, 'SIGQUIT')
    await sleep(100)
  }
  rmSync(join(dataDir, 'postmaster.pid'), { force: true })
}

const belongsToCluster = (
  command: string,
  { dataDir, clusterName }: { dataDir: string; clusterName: string },
): boolean =>
  command.startsWith(`postgres: ${clusterName}:`) ||
  (/\bpostgres\b/.test(command) && command.includes(`-D ${dataDir} `))

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It went by itself.
  }
}
