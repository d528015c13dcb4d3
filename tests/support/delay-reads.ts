import type { Db } from '#server/platform/db/db.ts'
import { interceptStatements } from './intercept-statements.ts'

/** A database that returns rows late: `meanwhile` runs between the read and the return of the rows. */
export function delayReads(db: Db, meanwhile: () => Promise<unknown>): Db {
  const { rows } = interceptStatements(db, async (_statement, run) => {
    const read = await run()
    await meanwhile()
    return read
  })
  return { ...db, rows }
}
