import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bringPgbench } from './bring-pgbench.ts'
import type { Turn } from './rounds.ts'
import { quantile } from './statistics.ts'
import type { Course } from './suite.ts'

const run = promisify(execFile)

/** How many do the base's work, and for how long; or how often each. */
export type Clients = { clients: number; seconds: number }
type Rounds = { clients: number; each: number }

export type Base = { name: string; run(load: Clients | Rounds): Promise<Turn & { latenciesMs: number[] }> }

type Script = {
  apiUrl: string
  /** What one client does again and again: statements, and pgbench's own commands. */
  script: string
  variables: Record<string, number>
}

// What hangs for so long beyond its time does not come back.
const GRACE_MS = 30_000

/**
 * A base of a script, over the same login and as prepared statements. The script's variable `clients` is how many run
 * it. Whole seconds only, as pgbench has no others.
 */
export function pgbenchRunning(
  what: string,
  { apiUrl, script, variables }: Script,
  { say, closers }: Pick<Course, 'say' | 'closers'>,
): Base {
  const { program, env, version } = bringPgbench(say)
  const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-pgbench-'))
  closers.push(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'script.sql')
  writeFileSync(file, script)
  const { hostname, port, username, password, pathname } = new URL(apiUrl)
  const server = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)]
  return {
    name: `${what} by pgbench ${version}`,
    async run(load) {
      const { clients } = load
      const whole = 'seconds' in load ? Math.ceil(load.seconds) : 0
      const given = Object.entries({ ...variables, clients }).flatMap(([name, value]) => [
        '-D',
        `${name}=${value}`,
      ])
      const long = 'seconds' in load ? ['-T', String(whole)] : ['-t', String(load.each)]
      const sizes = ['-c', String(clients), '-j', String(Math.min(clients, 2)), ...long]
      const { stdout } = await run(
        program,
        ['-n', '-M', 'prepared', '-f', file, '-l', ...given, ...sizes, ...server],
        {
          cwd: dir,
          env: { ...process.env, ...env, PGPASSWORD: password },
          timeout: whole * 1000 + GRACE_MS,
        },
      )
      const done = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1])
      const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
      const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0)
      if (!done || !perSecond || failed > 0) throw new Error(`pgbench said what was not expected:\n${stdout}`)
      const latenciesMs = latenciesIn(dir)
      const [p50Ms, p99Ms] = [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99)]
      return { done, seconds: done / perSecond, p50Ms, p99Ms, latenciesMs }
    },
  }
}

/** Of the log that each thread wrote, a line for each transaction, in which the third word is what it took in µs. */
function latenciesIn(dir: string): number[] {
  const logs = readdirSync(dir).filter((name) => name.startsWith('pgbench_log.'))
  return logs.flatMap((name) => {
    const log = join(dir, name)
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
    rmSync(log)
    return lines.filter(Boolean).map((line) => Number(line.split(' ')[2]) / 1000)
  })
}

/** An SQL expression for the n-th of some words, from 1 on. */
export const nthSql = (words: readonly string[], n: string): string =>
  `(array[${words.map((word) => `'${word}'`).join(',')}])[${n}]`

/** With how many clients the base does most. */
export async function findBestClients(
  { run: runBase }: { run(load: Clients): Promise<Turn> },
  candidates: readonly number[],
): Promise<number> {
  const tried: { clients: number; perSecond: number }[] = []
  for (const clients of candidates) {
    const { done, seconds } = await runBase({ clients, seconds: 1 })
    tried.push({ clients, perSecond: done / seconds })
  }
  return tried.toSorted((a, b) => b.perSecond - a.perSecond)[0]!.clients
}
