import { mkdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename, resolve } from 'node:path'
import { readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import type { Arguments } from '#server/ops/command.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { type Db, openDb } from '#server/platform/db/db.ts'
import { requireDatabase } from '#server/platform/db/wait-for-database.ts'
import { readRelease } from '#server/platform/release.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { LockedError, lockFolder, prepareFolder } from '#server/processes/lock-folder.ts'
import { useDatabase } from '#server/processes/use-database.ts'
import { backupFileName, pruneBackups, removePartialBackups, resolveBackupFile } from './backup-files.ts'
import { checkRecipient } from './check-recipient.ts'
import { formatBytes } from './format-bytes.ts'
import { recordBackup, recordBackupFailure } from './record-backup.ts'
import { createPace } from './pace.ts'
import { removeOldSpools } from './spool.ts'
import { type TakenBackup, takeBackup } from './take-backup.ts'

export type FolderContext = {
  config: Config
  clock: Clock
  say(line: string): void
  onProgress(sentence: string): void
  signal: AbortSignal
}

/** Requests of players come first. */
const LOW_PRIORITY = 10

/** Makes a backup with the owner's login, and records it where the metrics read it. */
export async function runBackup(context: FolderContext, { positionals: [given] }: Arguments): Promise<void> {
  const { config } = context
  const target = given ? resolve(given) : config.backupDir
  if (target === '') throw new StartupError('Name a file or a folder for the backup, or set BACKUP_DIR.')
  await useDatabase(config, (url) => backUp(context, { url, target, isScheduled: !given }))
}

function lowerPriority(): void {
  try {
    setPriority(LOW_PRIORITY)
  } catch {
    // A hardened service may not change it. The backup is then made at the usual priority.
  }
}

function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StartupError(`The folder ${dir} of BACKUP_DIR cannot be made: ${String(error)}.`)
  }
}

type Target = { url: string; target: string; isScheduled: boolean }

/** Makes the backup while no other one of this data folder is made, and records a failure. */
async function backUp(context: FolderContext, of: Target): Promise<void> {
  const { config, clock, signal } = context
  const { dataDir } = config
  await requireDatabase({ url: of.url, applicationName: 'cotton-backup' })
  const db = openDb(of.url, { max: 1, applicationName: 'cotton-backup' })
  try {
    prepareFolder(dataDir)
    const lockedMessage = 'Another backup is being made: wait until it is done.'
    const unlock = lockFolder(dataDir, { name: 'backup', lockedMessage, waitMs: 0 })
    try {
      lowerPriority()
      removeOldSpools(dataDir)
      await makeBackup(context, db, of)
    } finally {
      unlock()
    }
  } catch (error) {
    // A person who names a file reads the reason. A stop is not a failure, and neither is another backup.
    if (of.isScheduled && !signal.aborted && !(error instanceof LockedError)) {
      const reason = error instanceof StartupError ? error.message : 'The reason is in the log.'
      await recordBackupFailure(db, clock.now(), reason).catch(() => undefined)
    }
    throw error
  } finally {
    await db.end()
  }
}

async function makeBackup(
  { config, clock, say, onProgress, signal }: FolderContext,
  db: Db,
  { url, target, isScheduled }: Target,
): Promise<void> {
  const { dataDir, backupRecipient: recipient } = config
  const began = performance.now()
  checkRecipient(recipient)
  if (isScheduled) makeFolder(target)
  const world = await readBoundChain(db)
  const name = backupFileName({ world, at: clock.now(), encrypted: recipient !== '' })
  const file = resolveBackupFile(target, name)
  if (isScheduled) removePartialBackups(target, world)
  const release = readRelease()
  const pace = createPace(signal)
  const onChunk = async () => {
    signal.throwIfAborted()
    await pace()
  }
  const taken = await takeBackup({ url, dataDir, file, recipient, release, onProgress, onChunk, signal })
  const { bytes, manifest } = taken
  const took = Math.round(performance.now() - began)
  await recordBackup(db, clock.now(), { at: manifest.moment, bytes, took_ms: took })
  say(describe(taken, took))
  if (!isScheduled) return
  const pruning = { world, count: config.backupCount, newest: basename(file), now: clock.now() }
  for (const old of pruneBackups(target, pruning)) say(`Removed the older backup ${old}.`)
}

function describe({ file, bytes, manifest }: TakenBackup, tookMs: number): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  return `${file}: ${formatBytes(bytes)}, ${manifest.tables.length} tables, ${rows} rows, everything until ${manifest.moment}. Made and read back in ${(tookMs / 1000).toFixed(1)} s. The seed is not in it.`
}
