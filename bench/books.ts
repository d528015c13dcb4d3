import { verifyLedger } from '#server/ledger/verify-ledger.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import { type Db, openDb } from '#server/platform/db/db.ts'
import type { Course } from './suite.ts'

/** A connection of the owner's, who may read all the books. */
export function openBooks(ownerUrl: string, { closers }: Pick<Course, 'closers'>): Db {
  const books = openDb(ownerUrl, { max: 1, applicationName: 'bench-books', allowFullScans: true })
  closers.push(() => books.end())
  return books
}

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
