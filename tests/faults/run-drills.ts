import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadDatabase } from '#server/backup/load-database.ts'
import { takeBackup } from '#server/backup/take-backup.ts'
import { openDb } from '#server/platform/db/db.ts'
import { readPasswords } from '#server/platform/db/roles.ts'
import { withDatabase } from '#server/processes/postgres/postgres.ts'
import { createRandom } from '#tests/simulation/random.ts'
import type { FreshDatabase } from '#tests/support/database.ts'
import { runStatements } from '#tests/support/test-postgres.ts'
import { checkLedger, formatVerdict, hasPassed, runTorture } from './run-torture.ts'

type DrillOptions = { seed: number; count: number; log(sentence: string): void }

/** The faults of each drill, and of the load after the last one. Empty if all is well. */
export type DrillsVerdict = { faults: string[]; rows: number[]; acknowledged: number[] }

/**
 * Takes backups while clients change everything and backends are killed, and restores each. A restored database must have
 * no errors, and the response to every request that was acknowledged before its backup began.
 */
export async function runDrills(
  database: FreshDatabase,
  { seed, count, log }: DrillOptions,
): Promise<DrillsVerdict> {
  const random = createRandom(seed)
  const faults: string[] = []
  const rows: number[] = []
  const acknowledged: number[] = []
  const load = await runTorture(database, {
    seed,
    durationMs: 0,
    crashes: false,
    log: () => {},
    async alongside(answers) {
      for (let drill = 1; drill <= count; drill++) {
        await sleep(random.between(200, 700))
        const result = await drillOnce(database, answers)
        faults.push(...result.faults.map((fault) => `drill ${drill}: ${fault}`))
        rows.push(result.rows)
        acknowledged.push(result.acknowledged)
        log(
          `Drill ${drill}: ${result.rows} rows, ${result.acknowledged} responses, ${result.faults.length} faults`,
        )
      }
    },
  })
  if (!hasPassed(load, { crashes: false })) faults.push(...formatVerdict(load).map((line) => `load: ${line}`))
  return { faults, rows, acknowledged }
}

async function drillOnce(database: FreshDatabase, answers: ReadonlyMap<string, string>) {
  const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-drills-'))
  const name = `test_drill_${randomBytes(6).toString('hex')}`
  const url = withDatabase(database.directUrl, name)
  const onProgress = () => {}
  try {
    const before = new Map(answers)
    const file = join(dir, 'backup.tar.zst')
    const taking = { url: database.directUrl, dataDir: dir, file, recipient: '', release: 'test', onProgress }
    const { manifest } = await takeBackup(taking)
    await runStatements(database.directUrl, `create database ${name}`)
    const passwords = readPasswords({ env: database.environment, secretsDir: join(dir, 'secrets') })
    const loading = { url, passwords, ownCluster: false, manifest, onProgress }
    await loadDatabase({ path: file, identities: [] }, loading)
    const owner = openDb(url, { max: 2, applicationName: 'drill', allowFullScans: true })
    const verdict = await checkLedger(owner, { answers: before }).finally(() => owner.end())
    const faults = Object.entries(verdict).flatMap(([kind, found]) => found.map((each) => `${kind}: ${each}`))
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    return { faults, rows, acknowledged: before.size }
  } finally {
    await runStatements(database.directUrl, `drop database if exists ${name} with (force)`)
    rmSync(dir, { recursive: true, force: true })
  }
}
