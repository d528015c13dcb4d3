import { createTx, queryOf, type Queryable, type Tx } from '#server/platform/db/db.ts'
import type { SentStatement } from './explain-statement.ts'

/** The same database or transaction. Each statement passes through `around`, which calls `run` to send it. */
export function interceptStatements(
  on: Queryable,
  around: (statement: SentStatement, run: () => Promise<unknown[]>) => Promise<unknown[]>,
): Tx {
  const rows = on.rows as Parameters<typeof createTx>[0]
  return createTx((statement, params) => around(queryOf(statement, params), () => rows(statement, params)))
}
