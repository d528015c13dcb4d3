import { createTx, type Db, queryOf, type Queryable, type Tx } from '#server/platform/db/db.ts'
import type { SentStatement } from './explain-statement.ts'

type Around = (statement: SentStatement, run: () => Promise<unknown[]>) => Promise<unknown[]>

/** The same database or transaction. Each statement passes through `around`, which calls `run` to send it. */
export function interceptStatements(on: Queryable, around: Around): Tx {
  const rows = on.rows as Parameters<typeof createTx>[0]
  return createTx((statement, params) => around(queryOf(statement, params), () => rows(statement, params)))
}

/** The same database. Each statement passes through `around`, also in transactions. */
export function interceptDb(db: Db, around: Around): Db {
  return {
    ...db,
    rows: interceptStatements(db, around).rows,
    transaction: (work) => db.transaction((tx) => work(interceptStatements(tx, around))),
  }
}
