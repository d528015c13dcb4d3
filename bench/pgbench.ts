import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { burst } from './burst.ts'
import type { Turn } from './rounds.ts'
import type { Course } from './suite.ts'

const run = promisify(execFile)

/** Does the base's work with so many clients for so long. */
export type Base = { name: string; run(load: { clients: number; seconds: number }): Promise<Turn> }

type Script = {
  apiUrl: string
  /** What one client does again and again: statements, and pgbench's own commands. */
  script: string
  variables: Record<string, number>
}

// What hangs for so long beyond its time does not come back.
const GRACE_MS = 30_000

/** The version of the `pgbench` on the PATH (on Debian of the package postgresql-contrib); undefined where there is none. */
export function pgbenchVersion(): string | undefined {
  const { status, stdout } = spawnSync('pgbench', ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim().replace('pgbench (PostgreSQL) ', '').split(' ')[0] : undefined
}

/** Makes a base of a script, over the same login and as prepared statements; pgbench runs whole seconds only. */
export function pgbenchRunning(
  { apiUrl, script, variables }: Script,
  { closers }: Pick<Course, 'closers'>,
): Base['run'] {
  const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-pgbench-'))
  closers.push(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'script.sql')
  writeFileSync(file, script)
  const { hostname, port, username, password, pathname } = new URL(apiUrl)
  const given = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const server = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)]
  return async ({ clients, seconds }) => {
    const whole = Math.ceil(seconds)
    const sizes = ['-c', String(clients), '-j', String(Math.min(clients, 2)), '-T', String(whole)]
    const { stdout } = await run(
      'pgbench',
      ['-n', '-M', 'prepared', '-f', file, ...given, ...sizes, ...server],
      { env: { PATH: process.env.PATH, PGPASSWORD: password }, timeout: whole * 1000 + GRACE_MS },
    )
    const done = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1])
    const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
    if (!done || !perSecond) throw new Error(`pgbench said what was not expected:\n${stdout}`)
    return { done, seconds: done / perSecond }
  }
}

/**
 * A statement that is its whole transaction, again and again: by pgbench, or where there is none by `ask`.
 */
export function oneStatementEach(
  what: string,
  { ask, ...script }: Script & { ask(): Promise<boolean> },
  course: Pick<Course, 'closers'>,
): Base {
  const version = pgbenchVersion()
  if (version !== undefined) {
    return { name: `${what} by pgbench ${version}`, run: pgbenchRunning(script, course) }
  }
  return {
    name: `${what} by node-postgres`,
    run: ({ clients, seconds }) => burst({ lanes: clients, seconds }, ask),
  }
}

/** With how many clients the base does most. */
export async function findBestClients({ run }: Base, candidates: readonly number[]): Promise<number> {
  const tried: { clients: number; perSecond: number }[] = []
  for (const clients of candidates) {
    const { done, seconds } = await run({ clients, seconds: 1 })
    tried.push({ clients, perSecond: done / seconds })
  }
  return tried.toSorted((a, b) => b.perSecond - a.perSecond)[0]!.clients
}
