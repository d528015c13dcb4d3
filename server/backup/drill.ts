import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cotton, formatExact } from '#game/cotton.ts'
import { type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { countFindings } from '#server/ledger/verify-ledger.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import type { Clock } from '#server/platform/clock.ts'
import { AUDIT_TIMEOUT_MS, type Db, openDb } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { startPostgres } from '#server/processes/postgres/postgres.ts'
import { createFreeSpaceCheck, type CheckFreeSpace } from './check-free-space.ts'
import { makeDrillFolder } from './drill-folder.ts'
import { findLosses, type Losses } from './find-losses.ts'
import type { Manifest } from './manifest.ts'
import type { ArchiveSource } from './read-archive.ts'
import { restoreFolder } from './restore-folder.ts'

type DrillOptions = ArchiveSource & {
  clock: Clock
  /** Connects to the chain of the restored database. Only reads from it. */
  connect(db: Db): Promise<Chain>
  /** `LARGE_DEPOSIT`, as for `CommandContext`. */
  largeFrom?: Cotton
  say(line: string): void
  onProgress(sentence: string): void
  signal?: AbortSignal
  /** Default: by the free space of the disk of `TMPDIR`. */
  checkFreeSpace?: CheckFreeSpace
}

const NO_SPACE = 'Nothing was restored. Make room, or set TMPDIR to a folder on another disk.'
const STOPPED = 'Stopped. The drill is not recorded, and its folder is removed.'

/** What a drill has found, as sentences. With either it has failed. */
type Findings = {
  /** Errors in the ledger of the backup. */
  problems: readonly string[]
  /** What could not be compared with the chain. */
  uncompared: readonly string[]
}

export type DrillResult = { manifest: Manifest } & Findings

/**
 * Restores a backup into a temporary folder with its own Postgres, audits the ledger, prints what the chain has seen
 * since, and removes the folder. It changes neither the running game nor the chain.
 */
export async function drill(options: DrillOptions): Promise<DrillResult> {
  const { path, identities, onProgress, signal } = options
  // The temporary folder may be on the disk of the running game.
  const { checkFreeSpace = createFreeSpaceCheck({ folder: tmpdir(), outcome: NO_SPACE }) } = options
  const folder = await makeDrillFolder(onProgress)
  const into = join(folder.path, 'data')
  try {
    // The passwords of the running game's logins are not used: this Postgres is the drill's own.
    const restoring = { path, identities, into, databaseUrl: '', env: {}, onProgress, signal }
    const manifest = await restoreFolder({ ...restoring, checkFreeSpace })
    const postgres = await startPostgres({ dataDir: into })
    const db = openDb(postgres.url, {
      max: 2,
      applicationName: 'cotton-drill',
      allowFullScans: true,
      fullScanTimeoutMs: AUDIT_TIMEOUT_MS,
    })
    const stopped = Promise.withResolvers<never>()
    stopped.promise.catch(() => undefined)
    const stop = () => {
      // A statement of the audit may take minutes. It ends with its server.
      void postgres.stop()
      stopped.reject(new StartupError(STOPPED))
    }
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
    try {
      const findings = await Promise.race([examineBackup(db, manifest, options), stopped.promise])
      return { manifest, ...findings }
    } finally {
      signal?.removeEventListener('abort', stop)
      await db.end()
      await postgres.stop()
    }
  } finally {
    await folder.remove()
  }
}

/**
 * Audits a restored database, compares it with its chain and prints the findings. Credits in this database the
 * deposits that it lacks.
 */
export async function examineBackup(
  db: Db,
  manifest: Pick<Manifest, 'moment' | 'release' | 'tables'>,
  { clock, connect, largeFrom, say }: Pick<DrillOptions, 'clock' | 'connect' | 'largeFrom' | 'say'>,
): Promise<Findings> {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  say(`The backup of ${manifest.moment} (release ${manifest.release}) is restored: ${rows} rows.`)
  const findings = await auditBooks(db)
  const problems = findings.map(({ law, what, found }) => `${law}: ${what} (${found})`)
  for (const problem of problems) say(`BROKEN  ${problem}`)
  say(
    findings.length === 0
      ? 'The ledger has no errors.'
      : `The ledger has errors: ${countFindings(findings)}.`,
  )
  const uncompared: string[] = []
  try {
    const losses = await findLosses({ db, clock, chain: await connect(db), largeFrom })
    for (const sentence of losses.unread) say(`NOT COMPARED  ${sentence}`)
    for (const line of describeLosses(losses)) say(line)
    uncompared.push(...losses.unread)
  } catch (error) {
    if (!(error instanceof StartupError) && !(error instanceof ChainUnavailable)) throw error
    say(`The backup was NOT compared with the chain. ${error.message}`)
    uncompared.push(`the backup was not compared with the chain: ${error.message}`)
  }
  const minutes = Math.max(0, (clock.now().getTime() - Date.parse(manifest.moment)) / 60_000)
  say(
    `A restore would lose everything else since then (${Math.ceil(minutes)} min): hires, claims, sales and logins.`,
  )
  return { problems, uncompared }
}

function describeLosses({ deposits, unowned, payouts }: Losses): string[] {
  const total = (rows: readonly { amount: bigint }[]) =>
    formatExact(rows.reduce((sum, { amount }) => sum + amount, 0n))
  return [
    `Deposits since then: ${deposits.length} of ${total(deposits)} $COTTON. The game credits them by itself.`,
    ...deposits.map((each) => `  ${each.signature}  ${formatExact(each.amount)} $COTTON to ${each.wallet}`),
    `Deposits since then to addresses that were assigned after the backup: ${unowned.length} of ${total(unowned)} $COTTON. The game lists them under "npm run ops -- receipts" and credits nobody.`,
    ...unowned.map((each) => `  ${each.signature}  ${formatExact(each.amount)} $COTTON to nobody known`),
    `Payouts since then: ${payouts.length} of ${total(payouts)} $COTTON. The game finds them before it pays anybody.`,
    ...payouts.map(
      ({ signature, amount, wallet }) =>
        `  ${signature}  ${formatExact(amount)} $COTTON to ${wallet ?? 'no single wallet'}`,
    ),
  ]
}
