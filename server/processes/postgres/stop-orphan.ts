import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses } from '../list-processes.ts'
import { StartProblem } from '#server/platform/start-problem.ts'

/**
 * Leaves no Postgres process and no `postmaster.pid` behind in `dataDir`. After kill -9 of the server alone its
 * Postgres lives on; after kill -9 of Postgres its other processes need a moment to notice, and its pid may look
 * alive (a zombie nobody waits for, or a number given to another process), which Postgres takes for a running
 * server. The caller holds the lock of the data folder, so whatever still runs here is nobody's.
 */
export async function stopOrphan({ dataDir, mark }: { dataDir: string; mark: string }): Promise<void> {
  const deadline = Date.now() + 30_000
  for (let attempt = 0; ; attempt++) {
    const left = listProcesses().filter(({ command }) => belongs(command, { dataDir, mark }))
    if (left.length === 0) break
    if (Date.now() > deadline) {
      const pids = left.map(({ pid }) => pid).join(', ')
      throw new StartProblem(
        `An old Postgres still runs in ${dataDir} and does not stop: end process ${pids}.`,
      )
    }
    // Fast first (a checkpoint, no recovery needed), then immediate; never SIGKILL, it is Postgres' own word for a crash.
    const postmaster = left.find(({ command }) => command.includes(dataDir))
    if (postmaster && attempt === 0) signal(postmaster.pid, 'SIGINT')
    if (postmaster && attempt === 100) signal(postmaster.pid, 'SIGQUIT')
    await sleep(100)
  }
  rmSync(join(dataDir, 'postmaster.pid'), { force: true })
}

const belongs = (command: string, { dataDir, mark }: { dataDir: string; mark: string }): boolean =>
  command.startsWith(`postgres: ${mark}:`) ||
  (/\bpostgres\b/.test(command) && command.includes(`-D ${dataDir} `))

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It went by itself.
  }
}
