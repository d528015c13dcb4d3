import type * as z from 'zod/mini'
import type { ContinentStats, ParcelOnWire } from '#contract/parcels.ts'
import type { ContinentCode } from '#game/continents.ts'
import { baseUnits, type Cotton, toWire } from '#game/cotton.ts'
import type { Parcel } from '#game/parcels.ts'
import { PARCELS } from '#game/world.ts'
import { type Db, rowOf, rowset, sql } from '#server/platform/db/db.ts'
import { databaseName } from '#server/platform/db/name-database.ts'

/** The state of a continent at one version. */
export type ContinentState = {
  price: Cotton
  version: number
  /** The name of the database that it was read from. */
  database: string
  /** Wallets of the owners, by parcel id. */
  owners: Map<string, string>
  /** The parcels that the game offers, and owned ones that it no longer offers. */
  parcels: readonly Parcel[]
}

type Land = ReadonlyMap<ContinentCode, ContinentState>

type ContinentRow = {
  code: ContinentCode
  price: bigint
  excluded: string[]
  version: bigint
  database: string
}
type ChangedRow = ContinentRow & ({ parcel_id: string; wallet: string } | { parcel_id: null; wallet: null })

const THIS_DATABASE = `${databaseName('continents')}::text`

// One statement reads one snapshot, so price, owners and version are consistent. Another database may have a known version
// after other sales.
const readChanged = sql({
  name: 'land-read-changed',
  params: { known: rowset({ code: 'text', version: 'bigint', database: 'text' }) },
  row: rowOf<ChangedRow>(),
  text: ({ known }) =>
    `select c.code, c.price, c.excluded, c.version, ${THIS_DATABASE} as database, l.parcel_id, l.wallet
     from continents c
     left join ${known} using (code)
     left join land l on l.region = c.code
     where c.version is distinct from known.version or ${THIS_DATABASE} is distinct from known.database`,
})

// Locked in the order of the sales.
const raiseVersions = sql({
  name: 'land-raise-versions',
  params: { known: rowset({ code: 'text', version: 'bigint' }) },
  text: ({ known }) =>
    `with locked as (select c.code from continents c order by c.code for update)
     update continents c set version = greatest(c.version, known.version) + 1
     from ${known} join locked using (code) where c.code = known.code`,
})

/**
 * Reads the continents whose version or database differs from that in `known`. A database that takes the place of another
 * may have lost sales that browsers have seen. Its versions are raised above the known ones first, so that browsers apply
 * what it has.
 */
export async function readChangedLand(db: Db, known: Land): Promise<Land> {
  const params = {
    known: [...known].map(([code, { version, database }]) => ({ code, version: BigInt(version), database })),
  }
  const isOfAnother = ({ code, database }: ChangedRow) => (known.get(code)?.database ?? database) !== database
  let rows = await db.rows(readChanged, params)
  if (rows.some(isOfAnother)) {
    await db.rows(raiseVersions, params)
    rows = await db.rows(readChanged, params)
  }
  return new Map(
    [...Map.groupBy(rows, (row) => row.code)].map(([code, [first, ...rest]]) => {
      const { price, version, database, excluded } = first!
      const owners = new Map(
        [first!, ...rest].flatMap((row) => (row.parcel_id === null ? [] : [[row.parcel_id, row.wallet]])),
      )
      const parcels = PARCELS.filter(
        ({ parcelId, regionId }) =>
          regionId === code && (owners.has(parcelId) || !excluded.includes(parcelId)),
      )
      return [code, { price: baseUnits(price), version: Number(version), database, owners, parcels }]
    }),
  )
}

/** A parcel with who owns it, as it travels. */
export function parcelOnWire(
  { parcelId, basePrice, ...facts }: Parcel,
  owners: ReadonlyMap<string, string>,
): z.output<typeof ParcelOnWire> {
  const ownerWallet = owners.get(parcelId) ?? null
  return { parcelId, ...facts, owned: ownerWallet !== null, ownerWallet, basePrice: toWire(basePrice) }
}

/** A continent's entry in the reply of `/api/continent-stats`. */
export function statsOf({
  price,
  version,
  owners,
  parcels,
}: ContinentState): z.output<typeof ContinentStats> {
  const { length: total } = parcels
  return {
    owned: owners.size,
    total,
    available: total - owners.size,
    currentPrice: toWire(price),
    version,
  }
}
