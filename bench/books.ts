import { auditBooks } from '#server/ops/audit-books.ts'
import type { Db } from '#server/platform/db/db.ts'

/** Reads all the books, and fails where they break a law. */
export async function expectCleanBooks(db: Db): Promise<void> {
  const [finding] = await auditBooks(db)
  if (finding) throw new Error(`The books are broken: ${JSON.stringify(finding)}`)
}
