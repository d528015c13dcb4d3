import type { Config } from '#server/platform/config.ts'
import { openDb } from '#server/platform/db/db.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import { auditBooks } from './audit-books.ts'

/** The operator's commands: `audit` reads all books and ends with 1 where they do not agree. */
export async function runOps([command, ...rest]: string[], config: Config): Promise<void> {
  if (command !== 'audit' || rest.length > 0) {
    throw new StartProblem(`There is no operator command "${[command, ...rest].join(' ')}": it is audit.`)
  }
  const db = openDb(config.databaseUrl, { max: 1, applicationName: 'cotton-ops', readsAll: true })
  try {
    const findings = await auditBooks(db)
    for (const { law, what, found } of findings) console.log(`BROKEN  ${law}: ${what} (${found})`)
    console.log(
      findings.length === 0
        ? 'The books are clean.'
        : `${findings.length} findings: the books are NOT clean.`,
    )
    if (findings.length > 0) process.exitCode = 1
  } finally {
    await db.end()
  }
}
