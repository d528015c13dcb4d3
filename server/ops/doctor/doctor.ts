import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { type BoundChain, BOUND_CHAIN } from '#server/deposits/connect-bound-chain.ts'
import { readApplied } from '#server/platform/db/migrations.ts'
import { waitForDatabase } from '#server/platform/db/wait-for-database.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { checkBackup } from './check-backup.ts'
import { checkChain } from './check-chain.ts'
import { checkDatabase } from './check-database.ts'
import { checkFiles } from './check-files.ts'
import { checkProxy, checkSigner, isReady, originHere } from './check-proxy.ts'
import { checkAlerts, checkSettings } from './check-settings.ts'
import { type DoctorContext, type Finding, findingsOn, lineOf } from './finding.ts'

type DoctorOptions = DoctorContext & {
  say(line: string): void
  /** Calls `work` with the owner's URL. Starts the embedded Postgres for that long if nothing runs it. */
  useDatabase<T>(work: (url: string) => Promise<T>): Promise<T>
}

/**
 * Examines settings, files, database, chain, proxy and backups, and prints one line for each finding. Changes nothing.
 * Returns how many findings need an action.
 */
export async function runDoctor(options: DoctorOptions): Promise<number> {
  const { config, say } = options
  const findings = [...checkSettings(options), ...checkFiles(options)]
  const database = findingsOn('database')
  let bound: BoundChain | null = null
  if (config.databaseUrl === '' && !existsSync(join(config.dataDir, 'postgres'))) {
    const origin = originHere(config)
    if (await isReady(origin))
      database.fix(
        `a game runs at ${origin}, and its database is not in ${config.dataDir}`,
        'run the doctor with the DATA_DIR or DATABASE_URL of that game',
      )
    else database.note(`there is none in ${config.dataDir} yet`, 'the first start creates it')
  } else
    try {
      await options.useDatabase(async (url) => {
        const client = await waitForDatabase({ url, applicationName: 'doctor', waitMs: 0 })
        try {
          await client.query('set default_transaction_read_only = on')
          findings.push(...(await checkDatabase(client, options)))
          bound = await readBound(client)
          if (bound === null && config.databaseUrl !== '' && existsSync(join(config.dataDir, 'postgres')))
            database.fix(
              `DATABASE_URL names a database without a game, and ${config.dataDir} contains one with a game`,
              'to move that game, restore a backup (docs/runbooks/backup-and-restore.md); otherwise set another DATA_DIR',
            )
          findings.push(...checkAlerts(config, bound))
          if (await readApplied(client)) {
            findings.push(...(await checkBackup(options, { client, bound })))
            findings.push(...(await checkSigner(url, options)))
          }
        } finally {
          await client.end()
        }
      })
    } catch (error) {
      if (!(error instanceof StartupError)) throw error
      const isBuiltIn = config.databaseUrl === ''
      database.fix(
        error.message.replace(/\.$/, ''),
        isBuiltIn ? 'see docs/runbooks/game-down.md' : 'check that Postgres runs, and DATABASE_URL',
      )
    }
  findings.push(
    ...database.found,
    ...(await checkChain(options, bound)),
    ...(await checkProxy(options, bound)),
  )
  for (const finding of findings) say(lineOf(finding))
  const count = findings.filter(({ level }: Finding) => level === 'fix').length
  say(
    count === 0
      ? 'Nothing must be done.'
      : `${count} ${count === 1 ? 'thing needs' : 'things need'} an action: see FIX above.`,
  )
  return count
}

async function readBound(client: Client): Promise<BoundChain | null> {
  if ((await readApplied(client)) === null) return null
  const { rows } = await client.query<{ value: BoundChain }>('select value from settings where name = $1', [
    BOUND_CHAIN,
  ])
  return rows[0]?.value ?? null
}
