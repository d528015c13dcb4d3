import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'
import { applyWorld } from '#server/world/apply-world.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { requireDatabase } from '#server/platform/db/wait-for-database.ts'
import { findRunningPostgres, startPostgres } from './postgres/postgres.ts'
import { readPasswords } from '#server/platform/db/roles.ts'
import { lockFolder, prepareFolder } from './lock-folder.ts'
import { requireSpace } from './require-space.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { readWorldFile } from '#server/world/world-config.ts'

/**
 * Calls `work` with the owner's URL of the game's database, without a pooler: `DATABASE_DIRECT_URL` or `DATABASE_URL`, else
 * the embedded Postgres. If no server runs that, it is started for the duration of the work. Where there is none it is created
 * only with `mayCreate`: a command that runs with other settings than the game would otherwise change an empty one.
 */
export async function useDatabase<T>(
  config: Config,
  work: (url: string) => Promise<T>,
  { mayCreate = false } = {},
): Promise<T> {
  if (config.databaseUrl) return work(config.databaseDirectUrl)
  const { dataDir } = config
  if (!mayCreate && !existsSync(dataDir)) throw noDatabaseIn(dataDir)
  prepareFolder(dataDir)
  if (mayCreate) requireSpace(dataDir)
  const missing = existsSync(join(dataDir, 'postgres'))
    ? 'its built-in Postgres does not run: wait until it has started, or set DATABASE_URL if that game has it.'
    : 'its database is not there: set DATABASE_URL as that game has it, or wait until it has started.'
  const lockedMessage = `A game runs on ${dataDir}, and ${missing}`
  let unlock: () => void
  try {
    unlock = lockFolder(dataDir, { name: 'server', lockedMessage, waitMs: 0 })
  } catch (error) {
    const url = findRunningPostgres(dataDir)
    if (!url || !(error instanceof StartupError)) throw error
    // The game runs, but its Postgres may have ended on a full disk, or recover from a crash.
    await requireDatabase({ url, setting: 'DATA_DIR', applicationName: 'cotton-command' })
    return work(url)
  }
  try {
    if (!mayCreate && !existsSync(join(dataDir, 'postgres'))) throw noDatabaseIn(dataDir)
    const postgres = await startPostgres({ dataDir })
    return await work(postgres.url).finally(() => postgres.stop())
  } finally {
    unlock()
  }
}

const noDatabaseIn = (dataDir: string) =>
  new StartupError(
    `There is no database of a game in ${dataDir}: set DATA_DIR or DATABASE_URL as the game has it.`,
  )

/**
 * Migrates the database and applies the operator's world. Returns the names of the migrations that were applied.
 */
export async function migrateOnce(config: Config): Promise<string[]> {
  const world = readWorldFile(config)
  const work = async (url: string) => {
    const passwords = readPasswords({ env: process.env, secretsDir: join(config.dataDir, 'secrets') })
    const waitMs = config.databaseWaitMs
    const applied = await migrate({ url, passwords, ownCluster: !config.databaseUrl, waitMs })
    await applyWorld(url, world)
    return applied
  }
  return useDatabase(config, work, { mayCreate: true })
}
