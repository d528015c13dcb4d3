import type { Db, Tx } from '#server/platform/db/db.ts'

/** What was asked of the database: statements by name, and how often somebody had to wait for answers before asking on. */
export type Asked = { names: string[]; journeys: number }

/** The same transaction, counted. */
export function counted(tx: Tx, asked: Asked): Tx {
  let open = 0
  return {
    rows: async (statement, values) => {
      if (open === 0) asked.journeys += 1
      open += 1
      asked.names.push(statement.name)
      try {
        return await tx.rows(statement, values)
      } finally {
        open -= 1
      }
    },
  }
}

/** The same database, counted. */
export function countedDb(db: Db, asked: Asked): Db {
  return {
    ...db,
    rows: counted(db, asked).rows,
    transaction: (work) => db.transaction((tx) => work(counted(tx, asked))),
  }
}
