import { verifyLedger } from '#server/ledger/verify-ledger.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import { type Db, openDb } from '#server/platform/db/db.ts'
import type { Run } from './suite.ts'

/** A connection of the owner, who may read everything. */
export function openOwnerDb(ownerUrl: string, { closers }: Pick<Run, 'closers'>): Db {
  const books = openDb(ownerUrl, { max: 1, applicationName: 'bench-books', allowFullScans: true })
  closers.push(() => books.end())
  return books
}

/** Runs the audit of `npm run audit`, and fails on a finding. The workers that fill a database have no hires. */
export async function expectCleanAudit(db: Db): Promise<void> {
  const findings = await auditBooks(db)
  const finding = findings.find(({ law }) => !law.startsWith('every worker was hired once'))
  if (finding) throw new Error(`The audit failed: ${JSON.stringify(finding)}`)
}

/** Verifies the ledger only, for databases in which land was taken back. */
export async function expectCleanLedger(db: Db): Promise<void> {
  const [finding] = await verifyLedger(db)
  if (finding) throw new Error(`The ledger is wrong: ${JSON.stringify(finding)}`)
}
