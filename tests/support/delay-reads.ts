import type { Db } from '#server/platform/db/db.ts'

/** A database whose rows come late: what they say was true before `meanwhile` was done. */
export function delayReads(db: Db, meanwhile: () => Promise<unknown>): Db {
  return {
    ...db,
    async rows<Row>(...asked: Parameters<Db['rows']>) {
      const rows = await db.rows<Row>(...asked)
      await meanwhile()
      return rows
    },
  }
}
