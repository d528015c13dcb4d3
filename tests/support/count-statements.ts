import type { Db, Queryable, Tx } from '#server/platform/db/db.ts'
import { interceptStatements } from './intercept-statements.ts'

/** The names of the statements sent, and the number of times that the caller waited for answers before it sent more. */
export type StatementLog = { names: string[]; roundTrips: number }

/** The same transaction, with its statements counted. */
export function countStatements(on: Queryable, log: StatementLog): Tx {
  let pending = 0
  return interceptStatements(on, async ({ name }, run) => {
    if (pending === 0) log.roundTrips += 1
    pending += 1
    log.names.push(name)
    try {
      return await run()
    } finally {
      pending -= 1
    }
  })
}

/** The same database, with its statements counted. */
export function countDbStatements(db: Db, log: StatementLog): Db {
  return {
    ...db,
    rows: countStatements(db, log).rows,
    transaction: (work) => db.transaction((tx) => work(countStatements(tx, log))),
  }
}
