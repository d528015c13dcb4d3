import { sql, type Tx } from '#server/platform/db/db.ts'

// Continents before land, like a sale by the game.
const lockContinents = sql(
  'market-lock-continents',
  `select c.code, c.version from continents c where c.code = any($1::text[]) order by c.code for update`,
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

/** Owners by parcel id, and versions by continent. */
export type LockedLand = { owners: Map<string, string>; versions: Map<string, number> }

/** The same, to change them: with their continents, whose version every change of an owner moves by one. */
export async function lockLandForTransfer(tx: Tx, parcelIds: readonly string[]): Promise<LockedLand> {
  const [versions, owners] = await Promise.all([
    lockVersionsOf(tx, new Set(parcelIds.map(continentOf))),
    lockOwnersOf(tx, parcelIds),
  ])
  return { owners, versions }
}

async function lockVersionsOf(tx: Tx, codes: ReadonlySet<string>): Promise<Map<string, number>> {
  if (codes.size === 0) return new Map()
  const rows = await tx.rows<{ code: string; version: bigint }>(lockContinents, [[...codes]])
  return new Map(rows.map(({ code, version }) => [code, Number(version)]))
}

/** The code of a parcel's continent, with which its id begins. */
export const continentOf = (parcelId: string): string => parcelId.slice(0, 2)
