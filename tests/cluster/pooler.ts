import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { roleNames } from '#server/platform/db/roles.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { findPostgresUser } from '#server/processes/postgres/postgres-user.ts'
import { findPgBouncer, NO_PGBOUNCER, pgBouncerFile, readUserList } from '#tests/support/pgbouncer.ts'
import { Part } from './part.ts'

// As in `deploy/cluster/README.md`.
const LOGINS = roleNames.filter((name) => name !== 'readonly')

export type ClusterPooler = {
  part: Part
  /** The same login and database, through PgBouncer. */
  through(url: string): string
  /** Starts it once the logins exist. `superuser` is a URL that leads around it. */
  start(superuser: string): Promise<void>
}

type Options = { folder: string; logs: string; primary: number; say(sentence: string): void }

/** PgBouncer between the roles and HAProxy, which listens on `primary`. Null if it cannot be had, which is said. */
export async function makePooler({ folder, logs, primary, say }: Options): Promise<ClusterPooler | null> {
  const found = findPgBouncer()
  if (!found) {
    say(`${NO_PGBOUNCER} The roles connect to HAProxy.`)
    return null
  }
  const user = findPostgresUser()
  const port = await findFreePort()
  const [file, userList] = [join(folder, 'pgbouncer.ini'), join(folder, 'userlist.txt')]
  const part = new Part({
    name: 'pgbouncer',
    program: { ...found, env: {} },
    args: [file],
    cwd: folder,
    logs,
    user,
  })
  return {
    part,
    through: (url) => Object.assign(new URL(url), { port: String(port) }).href,
    async start(superuser) {
      const server = { host: '127.0.0.1', port: primary }
      writeFileSync(file, pgBouncerFile({ port, userList, server }))
      writeFileSync(userList, await readUserList(superuser, LOGINS), { mode: 0o600 })
      if (user.uid !== undefined && user.gid !== undefined) chownSync(userList, user.uid, user.gid)
      part.start()
    },
  }
}
