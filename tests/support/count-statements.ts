import type { Db, Queryable, Tx } from '#server/platform/db/db.ts'
import { interceptStatements } from './intercept-statements.ts'

/** The names of the statements sent, and the number of round trips. */
export type StatementLog = { names: string[]; roundTrips: number }

/** Wraps a transaction to count its statements. */
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

/** Wraps a database to count its statements. */
export function countDbStatements(db: Db, log: StatementLog): Db {
  return {
    ...db,
    rows: countStatements(db, log).rows,
    transaction: (work) => db.transaction((tx) => work(countStatements(tx, log))),
  }
}
