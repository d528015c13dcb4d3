import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '#server/processes/postgres/postgres.ts'
import { findPostgresUser } from '#server/processes/postgres/postgres-user.ts'
import { runStatements } from './test-postgres.ts'

export type TwoServers = {
  /** Names both servers: the standby first, then the primary. */
  url: string
  stopPrimary(): Promise<void>
  /** Lets the standby accept writes. */
  promoteStandby(): Promise<void>
  close(): Promise<void>
}

/** A primary, and a standby with the same rows. Nothing is replicated: the standby is a copy of the primary's folder. */
export async function startTwoServers(prepare: (url: string) => Promise<void>): Promise<TwoServers> {
  const folder = mkdtempSync(join(tmpdir(), 'cotton-farm-two-servers-'))
  const [first, second] = [join(folder, 'a'), join(folder, 'b')]
  mkdirSync(first)
  const settings = ['fsync=off', 'shared_buffers=32MB', 'min_wal_size=32MB', 'max_wal_size=64MB']
  const start = (dataDir: string) => startPostgres({ dataDir, settings })
  const draft = await start(first)
  await prepare(draft.url)
  await draft.stop()
  execFileSync('cp', ['-a', first, second])
  const signalFile = join(second, 'postgres', 'standby.signal')
  writeFileSync(signalFile, '')
  const { uid, gid } = findPostgresUser()
  if (uid !== undefined && gid !== undefined) chownSync(signalFile, uid, gid)
  const [primary, standby] = await Promise.all([start(first), start(second)])
  const hostOf = (url: string) => new URL(url).host
  const both = `${hostOf(standby.url)},${hostOf(primary.url)}`
  return {
    url: `${primary.url.replace(hostOf(primary.url), both)}?target_session_attrs=read-write`,
    stopPrimary: () => primary.stop(),
    promoteStandby: () => runStatements(standby.url, 'select pg_promote()'),
    async close() {
      await Promise.all([primary.stop(), standby.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
