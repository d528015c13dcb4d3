import { type Db, sql, type Tx } from './db.ts'

const atOneMoment = sql({
  name: 'read-at-one-moment',
  text: 'set transaction isolation level repeatable read, read only',
})

/** Reads numbers that must fit together: all of them as of one moment. */
export function readTogether<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    tx.send(atOneMoment)
    return read(tx)
  })
}
