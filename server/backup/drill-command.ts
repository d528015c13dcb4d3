import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { connectBoundChain, readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import type { Arguments } from '#server/ops/command.ts'
import { chainOf } from '#server/ops/ops.ts'
import type { Config } from '#server/platform/config.ts'
import { isDatabaseUnavailable, openDb } from '#server/platform/db/db.ts'
import { findRunningPostgres } from '#server/processes/postgres/postgres.ts'
import type { FolderContext } from './backup-command.ts'
import { drill, type DrillResult } from './drill.ts'
import { UnusableBackup } from './read-archive.ts'
import { readIdentities } from './read-identities.ts'
import { recordDrill } from './record-backup.ts'

/** Runs a drill, and records it in the database of the running game, where the metrics read it. */
export async function runDrill(context: FolderContext, given: Arguments): Promise<void> {
  const { config, clock, say } = context
  const identities = readIdentities(given.options.identity)
  const path = resolve(given.positionals[0] ?? '')
  const began = performance.now()
  const connect = (db: ReturnType<typeof openDb>) => connectBoundChain(chainOf(config), db)
  const readTookMs = () => Math.round(performance.now() - began)
  const options = { ...context, path, identities, connect, largeFrom: config.largeDeposit }
  const result = await drill(options).catch(async (error: unknown) => {
    if (!(error instanceof UnusableBackup)) throw error
    const failed = { manifest: null, problems: [error.message], uncompared: [] }
    // What is wrong with the backup matters more than why that cannot be recorded.
    const unrecorded = await recordResult(config, { clock, result: failed, tookMs: readTookMs() }).catch(
      (reason: unknown) =>
        ` It is not recorded: ${reason instanceof Error ? reason.message : String(reason)}.`,
    )
    say(`The drill failed.${unrecorded}`)
    throw error
  })
  const tookMs = readTookMs()
  if (result.problems.length + result.uncompared.length > 0) process.exitCode = 1
  const missing = await recordResult(config, { clock, result, tookMs })
  say(`The drill took ${(tookMs / 1000).toFixed(1)} s, and its folder is removed.${missing}`)
}

const MOST_RECORDED = 20

/** Without a manifest if the backup cannot be read. */
type RecordedResult = Omit<DrillResult, 'manifest'> & { manifest: DrillResult['manifest'] | null }

/** Returns why the drill is not recorded; '' if it is. */
export async function recordResult(
  config: Config,
  { clock, result, tookMs }: Pick<FolderContext, 'clock'> & { result: RecordedResult; tookMs: number },
): Promise<string> {
  const url = config.databaseDirectUrl || (isRunning(config) && findRunningPostgres(config.dataDir))
  if (!url) return ' No game runs here, so the drill is not recorded.'
  const db = openDb(url, { max: 1, applicationName: 'cotton-drill' })
  try {
    const now = clock.now()
    const { manifest, problems, uncompared } = result
    const found = [...problems, ...uncompared]
    const own = await readBoundChain(db)
    if (manifest && own?.treasury !== manifest.world?.treasury)
      return ` The backup belongs to another game, with the treasury ${manifest.world?.treasury}, so the drill is not recorded here.`
    await recordDrill(db, now, {
      at: now.toISOString(),
      ok: found.length === 0,
      backup_ok: problems.length === 0,
      backup_at: manifest?.moment ?? null,
      took_ms: tookMs,
      problems: found.slice(0, MOST_RECORDED),
    })
    return ''
  } catch (error) {
    // A machine that lost its power has left the file of a Postgres that runs no more. The drill is done.
    if (!isDatabaseUnavailable(error)) throw error
    return ' The database of the game does not answer, so the drill is not recorded.'
  } finally {
    await db.end()
  }
}

const isRunning = ({ dataDir }: Config): boolean => existsSync(join(dataDir, 'postgres', 'postmaster.pid'))
