import { sql, type Tx } from '#server/platform/db/db.ts'

// Continents before land, like a sale by the game.
const lockContinents = sql(
  'market-lock-continents',
  `select c.code from continents c where c.code = any($1::text[]) order by c.code for update`,
)

const lockOwners = sql(
  'market-lock-owners',
  `select l.parcel_id, l.wallet from land l where l.parcel_id = any($1::text[]) order by l.parcel_id for update`,
)

/** Locks parcels against a change of owner, and answers who owns each. Parcels that nobody owns are missing. */
export async function lockOwnersOf(tx: Tx, parcelIds: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(parcelIds)]
  if (ids.length === 0) return new Map()
  const rows = await tx.rows<{ parcel_id: string; wallet: string }>(lockOwners, [ids])
  return new Map(rows.map((row) => [row.parcel_id, row.wallet]))
}

/** The same, to change them: with their continents, whose version every change of an owner moves. */
export function lockToHandOver(tx: Tx, parcelIds: readonly string[]): Promise<Map<string, string>> {
  const continents = new Set(parcelIds.map((id) => id.slice(0, 2)))
  if (continents.size > 0) void tx.rows(lockContinents, [[...continents]])
  return lockOwnersOf(tx, parcelIds)
}
