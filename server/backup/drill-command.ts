import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { connectBoundChain } from '#server/deposits/connect-bound-chain.ts'
import type { Arguments } from '#server/ops/command.ts'
import { chainOf } from '#server/ops/ops.ts'
import type { Config } from '#server/platform/config.ts'
import { openDb } from '#server/platform/db/db.ts'
import { findRunningPostgres } from '#server/processes/postgres/postgres.ts'
import type { FolderContext } from './backup-command.ts'
import { drill, type DrillResult } from './drill.ts'
import { readIdentities } from './read-identities.ts'
import { recordDrill } from './record-backup.ts'

/** Runs a drill, and records it in the database of the running game, where the metrics read it. */
export async function runDrill(context: FolderContext, given: Arguments): Promise<void> {
  const { config, clock, say } = context
  const identities = readIdentities(given.options.identity)
  const path = resolve(given.positionals[0] ?? '')
  const began = performance.now()
  const connect = (db: ReturnType<typeof openDb>) => connectBoundChain(chainOf(config), db)
  const result = await drill({ ...context, path, identities, connect })
  const tookMs = Math.round(performance.now() - began)
  if (result.findings > 0) process.exitCode = 1
  const isRecorded = await record(config, { clock, result, tookMs })
  say(
    `The drill took ${(tookMs / 1000).toFixed(1)} s, and its folder is removed.${isRecorded ? '' : ' No game runs here, so the drill is not recorded.'}`,
  )
}

async function record(
  config: Config,
  { clock, result, tookMs }: Pick<FolderContext, 'clock'> & { result: DrillResult; tookMs: number },
): Promise<boolean> {
  const url = config.databaseUrl || (isRunning(config) && findRunningPostgres(config.dataDir))
  if (!url) return false
  const db = openDb(url, { max: 1, applicationName: 'cotton-drill' })
  try {
    const now = clock.now()
    const { manifest, findings } = result
    const drilled = { at: now.toISOString(), ok: findings === 0, backup_at: manifest.moment, took_ms: tookMs }
    await recordDrill(db, now, drilled)
    return true
  } finally {
    await db.end()
  }
}

const isRunning = ({ dataDir }: Config): boolean => existsSync(join(dataDir, 'postgres', 'postmaster.pid'))
