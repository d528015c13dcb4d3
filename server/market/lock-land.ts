import { continentOf } from '#game/parcels.ts'
import { rowOf, sql, type Tx } from '#server/platform/db/db.ts'

// Continents are locked before land, as in a primary sale.
const lockContinents = sql({
  name: 'market-lock-continents',
  params: { codes: 'text[]' },
  row: rowOf<{ code: string; version: bigint }>(),
  text: ({ codes }) =>
    `select c.code, c.version from continents c where c.code = any(${codes}) order by c.code for update`,
})

const lockOwners = sql({
  name: 'market-lock-owners',
  params: { ids: 'text[]' },
  row: rowOf<{ parcel_id: string; wallet: string }>(),
  text: ({ ids }) =>
    `select l.parcel_id, l.wallet from land l where l.parcel_id = any(${ids}) order by l.parcel_id for update`,
})

/** Locks parcels against a change of owner. Returns their owners by parcel id, without the parcels that have none. */
export async function lockOwnersOf(tx: Tx, parcelIds: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(parcelIds)]
  if (ids.length === 0) return new Map()
  const rows = await tx.rows(lockOwners, { ids })
  return new Map(rows.map((row) => [row.parcel_id, row.wallet]))
}

/** Owners by parcel id, and versions by continent. */
export type LockedLand = { owners: Map<string, string>; versions: Map<string, number> }

/** Locks parcels and their continents for a change of owner. Each change adds one to the continent's version. */
export async function lockLandForTransfer(tx: Tx, parcelIds: readonly string[]): Promise<LockedLand> {
  const [versions, owners] = await Promise.all([
    lockVersionsOf(tx, new Set(parcelIds.map(continentOf))),
    lockOwnersOf(tx, parcelIds),
  ])
  return { owners, versions }
}

async function lockVersionsOf(tx: Tx, codes: ReadonlySet<string>): Promise<Map<string, number>> {
  if (codes.size === 0) return new Map()
  const rows = await tx.rows(lockContinents, { codes: [...codes] })
  return new Map(rows.map(({ code, version }) => [code, Number(version)]))
}
