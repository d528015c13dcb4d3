import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartProblem } from '../start-problem.ts'

interface Process {
  pid: number
  command: string
}

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

function listProcesses(): Process[] {
  return process.platform === 'linux' ? readProc() : askPs()
}

/** `/proc` instead of `ps`, which slim images lack. A zombie has an empty command line and so does not count. */
function readProc(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return [{ pid: Number(name), command }]
      } catch {
        return []
      }
    })
}

function askPs(): Process[] {
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(.*)$/.exec(line)
    return found ? [{ pid: Number(found[1]), command: `${found[2]} ` }] : []
  })
}
