import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartupError } from '#server/platform/startup-error.ts'

/** The user that runs Postgres. Postgres refuses root, so root runs it as another user. Other users run it as themselves. */
export interface PostgresUser {
  uid?: number
  gid?: number
  /** A command prefix, for what Node cannot set when it spawns a process. */
  prefix: string[]
}

/** The user that Postgres runs as. Root creates it if it does not exist. */
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
  throw new StartupError(
    'Postgres does not run as root and the user "postgres" could not be made: start as an ordinary user, or set DATABASE_URL.',
  )
}

/**
 * The same user, able to enter `folder` although a parent folder is closed to others, like /root and every `mktemp -d`.
 * On Linux, root grants it the one capability for that. A `StartupError` if that is not possible.
 */
export function grantFolderAccess(folder: string, user: PostgresUser): PostgresUser {
  const closedFolder = findClosedFolder(folder, user)
  if (!closedFolder) return user
  const capability = findTraverseCapability()
  if (capability) {
    const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
    const prefix = ['setpriv', ...ids, `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`, '--']
    const [program = '', ...args] = [...prefix, 'true']
    if (spawnSync(program, args).status === 0) return { prefix }
  }
  throw new StartupError(
    `Postgres runs as the user "postgres", which may not enter ${closedFolder}: set DATA_DIR to a folder that it may, or start as an ordinary user.`,
  )
}

/** The first folder of `path` (including itself) that `user` may not enter; undefined if there is none. */
function findClosedFolder(path: string, user: PostgresUser): string | undefined {
  if (user.uid === undefined) return undefined
  const folders = [path]
  for (let parent = dirname(path); parent !== folders[0]; parent = dirname(parent)) folders.unshift(parent)
  return folders.find((folder) => {
    const { mode, uid, gid } = statSync(folder)
    const executeBit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    return (mode & executeBit) === 0
  })
}

/** The narrowest capability that this root has and may pass on (capabilities(7)). Containers lack the first. */
function findTraverseCapability(): 'dac_read_search' | 'dac_override' | undefined {
  if (process.platform !== 'linux') return undefined
  const mask = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  const hasCapability = (bit: bigint) => ((BigInt(`0x${mask}`) >> bit) & 1n) === 1n
  if (hasCapability(2n)) return 'dac_read_search'
  return hasCapability(1n) ? 'dac_override' : undefined
}
