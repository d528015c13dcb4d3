import { verifyLedger } from '#server/ledger/verify.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import type { Db } from '#server/platform/db/db.ts'

/** Reads all the books, and fails where they break a law. */
export async function expectCleanBooks(db: Db): Promise<void> {
  const [finding] = await auditBooks(db)
  if (finding) throw new Error(`The books are broken: ${JSON.stringify(finding)}`)
}

/** Holds the ledger against itself alone, where land was given back to the game beside it. */
export async function expectCleanLedger(db: Db): Promise<void> {
  const [finding] = await verifyLedger(db)
  if (finding) throw new Error(`The ledger is broken: ${JSON.stringify(finding)}`)
}
