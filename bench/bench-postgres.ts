import { mkdirSync, openSync, closeSync, fdatasyncSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { migrate } from '#server/platform/db/migrate.ts'
import { applyWorld } from '#server/world/apply-world.ts'
import { readWorldFile } from '#server/world/world-config.ts'
import { startPostgres } from '#server/processes/postgres/postgres.ts'
import { withLogin } from '#server/platform/db/roles.ts'
import { isAlive } from '#tests/support/test-postgres.ts'
import type { Run } from './suite.ts'

export type BenchPostgres = { ownerUrl: string; apiUrl: string; fsyncMs: number }

/** WAL files, more than a run writes. */
const LOG_FILES = 300
const LOG_FILE_MB = 16

/**
 * Creates WAL files in advance, as a server in use has them from earlier checkpoints. On a new server, commits wait some
 * 40 ms for each new file, several times in a row.
 */
export const makeLog: readonly string[] = [
  ...Array.from({ length: LOG_FILES }, () => [
    `select pg_logical_emit_message(false, 'bench', '')`,
    'select pg_switch_wal()',
  ]).flat(),
  'checkpoint',
]

/** Passwords of the logins. */
export const PASSWORDS = {
  api: 'bench',
  watcher: 'bench',
  signer: 'bench',
  console: 'bench',
  readonly: 'bench',
}

const folders = resolve(import.meta.dirname, '../.data')
const prefix = 'bench-'

/**
 * The built-in Postgres exactly as the product starts it, including durability, with an empty migrated database. Like the
 * product's, it is in the checkout's `.data` folder. A temporary folder may be in memory.
 */
export async function startBenchPostgres({ closers }: Pick<Run, 'closers'>): Promise<BenchPostgres> {
  const starting = start()
  // Registered before it runs, so that an interruption stops it too.
  closers.push(async () => (await starting.catch(() => null))?.stop())
  return starting
}

async function start(): Promise<BenchPostgres & { stop(): Promise<void> }> {
  mkdirSync(folders, { recursive: true })
  sweepDead()
  const dataDir = join(folders, `${prefix}${process.pid}`)
  mkdirSync(dataDir)
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  const settings = [`min_wal_size=${LOG_FILES * LOG_FILE_MB}MB`]
  const postgres = await startPostgres({ dataDir, settings }).catch((error: unknown) => {
    remove()
    throw error
  })
  await migrate({ url: postgres.url, passwords: PASSWORDS, ownCluster: true })
  await applyWorld(postgres.url, readWorldFile({ worldFile: '', dataDir }))
  return {
    ownerUrl: postgres.url,
    apiUrl: withLogin(postgres.url, { name: 'api', password: PASSWORDS.api }),
    fsyncMs: measureFsync(dataDir),
    async stop() {
      await postgres.stop()
      remove()
    },
  }
}

/** The lower bound of a commit: the mean time to write and fsync 8 kB. */
function measureFsync(dir: string): number {
  const file = openSync(join(dir, 'fsync-test'), 'w')
  const block = Buffer.alloc(8192, 1)
  const times = 100
  const from = performance.now()
  for (let time = 0; time < times; time++) {
    writeSync(file, block, 0, block.length, 0)
    fdatasyncSync(file)
  }
  closeSync(file)
  return (performance.now() - from) / times
}

/** Removes the folders of killed runs. Their Postgres ends without its files. */
function sweepDead(): void {
  for (const name of readdirSync(folders).filter((entry) => entry.startsWith(prefix))) {
    if (!isAlive(Number(name.slice(prefix.length))))
      rmSync(join(folders, name), { recursive: true, force: true })
  }
}
