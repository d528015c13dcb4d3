import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { rawSql } from './raw-sql.ts'

const readTables = sql({
  name: 'test-dump-read-tables',
  row: rowOf<{ name: string }>(),
  text: `select relname as name from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`,
})

/** All rows of all tables, as text. Bytes are in hex. */
export async function dumpTables(db: Db): Promise<string> {
  const dumps: string[] = []
  for (const { name } of await db.rows(readTables)) {
    const statement = { name: `test-dump-${name}`, text: `select r::text as row from ${name} r` }
    const rows = await db.rows(rawSql<{ row: string }>(statement))
    dumps.push(...rows.map(({ row }) => row))
  }
  return dumps.join('\n')
}
