import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartProblem } from '#server/platform/start-problem.ts'

/** Who runs Postgres. It refuses root, so root lends it another user; everybody else runs it as themselves. */
export interface PostgresUser {
  uid?: number
  gid?: number
  /** Words before the program, where Node alone cannot give what it needs. */
  prefix: string[]
}

/** The user that Postgres runs as, made when root starts it and there is none yet. */
export function findPostgresUser(): PostgresUser {
  if (process.getuid?.() !== 0) return { prefix: [] }
  return readUser('postgres') ?? makeUser()
}

function readUser(name: string): PostgresUser | undefined {
  const id = (flag: string) => spawnSync('id', [flag, name], { encoding: 'utf8' })
  const [uid, gid] = [id('-u'), id('-g')]
  if (uid.status !== 0 || gid.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout), prefix: [] }
}

function makeUser(): PostgresUser {
  const made = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'])
  const user = readUser('postgres')
  if (made.status === 0 && user) return user
  throw new StartProblem(
    'Postgres does not run as root and the user "postgres" could not be made: start as an ordinary user, or set DATABASE_URL.',
  )
}

/**
 * The same user, able to reach `folder` although a folder above it is closed to others, as /root and every
 * `mktemp -d` are: on Linux root gives it the one capability to pass. A `StartProblem` where that cannot be done.
 */
export function letInto(folder: string, user: PostgresUser): PostgresUser {
  const closed = closedFolder(folder, user)
  if (!closed) return user
  const passing = passCapability()
  if (passing) {
    const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
    const prefix = ['setpriv', ...ids, `--inh-caps=+${passing}`, `--ambient-caps=+${passing}`, '--']
    const [program = '', ...args] = [...prefix, 'true']
    if (spawnSync(program, args).status === 0) return { prefix }
  }
  throw new StartProblem(
    `Postgres runs as the user "postgres", which may not enter ${closed}: set DATA_DIR to a folder that it may, or start as an ordinary user.`,
  )
}

/** The first folder on the way to `path` (itself included) that `user` may not enter; undefined when all are open. */
function closedFolder(path: string, user: PostgresUser): string | undefined {
  if (user.uid === undefined) return undefined
  const folders = [path]
  for (let above = dirname(path); above !== folders[0]; above = dirname(above)) folders.unshift(above)
  return folders.find((folder) => {
    const { mode, uid, gid } = statSync(folder)
    const enter = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    return (mode & enter) === 0
  })
}

/** The narrower capability that this root holds and may hand on (capabilities(7)); containers lack the first. */
function passCapability(): 'dac_read_search' | 'dac_override' | undefined {
  if (process.platform !== 'linux') return undefined
  const mask = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  const holds = (bit: bigint) => ((BigInt(`0x${mask}`) >> bit) & 1n) === 1n
  if (holds(2n)) return 'dac_read_search'
  return holds(1n) ? 'dac_override' : undefined
}
