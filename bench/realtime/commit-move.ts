import { CONTINENTS, type ContinentCode } from '#game/continents.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'

const move = sql({
  name: 'bench-move',
  params: { code: 'text' },
  row: rowOf<{ version: string }>(),
  text: ({ code }) =>
    `update continents set version = version + 1 where code = ${code} returning version::text`,
})

/** Commits the change with this number, which increments a version. Both servers do this before they announce it. */
export async function commitMove(db: Db, at: number): Promise<{ code: ContinentCode; version: string }> {
  const code = CONTINENTS[at % CONTINENTS.length]!
  const [row] = await db.rows(move, { code })
  return { code, version: row!.version }
}
