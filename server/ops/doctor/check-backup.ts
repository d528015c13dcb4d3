import { accessSync, constants, statSync } from 'node:fs'
import type { Client } from 'pg'
import type { BoundChain } from '#server/deposits/connect-bound-chain.ts'
import { hasFailedSince, OLD_BACKUP_MS } from '#server/platform/backup-settings.ts'
import { type DoctorContext, type Finding, findingsOn } from './finding.ts'

const OLD_DRILL_MS = 35 * 24 * 3_600_000

type Recorded = {
  at: string
  ok?: boolean
  backup_ok?: boolean
  after?: string | null
  reason?: string
  problems?: string[]
}

/** Whether backups are made, are fresh, and were restored once. On the local chain nothing has to be done. */
export async function checkBackup(
  { config, env, now }: DoctorContext,
  { client, bound }: { client: Client; bound: BoundChain | null },
): Promise<Finding[]> {
  const backup = findingsOn('backup')
  const demand = bound && bound.cluster !== 'local' ? backup.fix : backup.note
  const { rows } = await client.query<{ name: string; value: Recorded }>(
    `select name, value from settings where name in ('last_backup', 'last_backup_failure', 'last_drill')`,
  )
  const read = (name: string) => rows.find((row) => row.name === name)?.value
  const [last, failure, drill] = [read('last_backup'), read('last_backup_failure'), read('last_drill')]
  const ageMs = ({ at }: Recorded) => now().getTime() - Date.parse(at)
  if (!last)
    demand('no backup was ever made', 'set BACKUP_DIR and BACKUP_EVERY, or run "npm run ops -- backup"')
  else if (ageMs(last) > OLD_BACKUP_MS)
    demand(
      `the last one is from ${last.at}`,
      'run "npm run ops -- backup", and see why the schedule does not',
    )
  else backup.ok(`the last one is from ${last.at}`)
  if (failure && hasFailedSince(failure, last))
    demand(
      `it failed at ${failure.at} (${failure.reason})`,
      'remove the cause, then run "npm run ops -- backup"',
    )
  if (last && !drill) backup.note('none was ever restored', 'run "npm run ops -- drill FILE"')
  else if (drill && drill.ok === false)
    demand(
      `the drill at ${drill.at} failed${drill.problems?.[0] ? ` (${drill.problems[0]})` : ''}`,
      drill.backup_ok === true
        ? 'the backup has no errors: drill it again when the nodes answer, or with one that has the history'
        : 'make a new backup, and drill it',
    )
  else if (drill && ageMs(drill) > OLD_DRILL_MS)
    backup.note(`the last drill is from ${drill.at}`, 'run "npm run ops -- drill FILE" each month')
  checkFolder({ folder: env.BACKUP_DIR, dataDir: config.dataDir, backup })
  return backup.found
}

type FolderOptions = { folder: string | undefined; dataDir: string; backup: ReturnType<typeof findingsOn> }

function checkFolder({ folder, dataDir, backup }: FolderOptions): void {
  if (!folder) return
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    const data = statSync(dataDir, { throwIfNoEntry: false })
    if (data?.dev === statSync(folder).dev)
      backup.note('BACKUP_DIR is on the disk of DATA_DIR', 'copy the backups to another machine, too')
  } catch {
    backup.fix(`BACKUP_DIR is ${folder}, which cannot be written`, 'create it for the user of the game')
  }
}
