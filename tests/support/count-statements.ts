import type { Db, Tx } from '#server/platform/db/db.ts'

/** What was asked of the database: statements by name, and how often somebody had to wait for answers before asking on. */
export type StatementLog = { names: string[]; roundTrips: number }

/** The same transaction, counted. */
export function countStatements(tx: Tx, log: StatementLog): Tx {
  let pending = 0
  return {
    rows: async (statement, values) => {
      if (pending === 0) log.roundTrips += 1
      pending += 1
      log.names.push(statement.name)
      try {
        return await tx.rows(statement, values)
      } finally {
        pending -= 1
      }
    },
  }
}

/** The same database, counted. */
export function countDbStatements(db: Db, log: StatementLog): Db {
  return {
    ...db,
    rows: countStatements(db, log).rows,
    transaction: (work) => db.transaction((tx) => work(countStatements(tx, log))),
  }
}
