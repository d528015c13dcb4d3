import type * as z from 'zod/mini'
import type { ContinentStats, ParcelOnWire } from '#contract/parcels.ts'
import type { ContinentCode } from '#game/continents.ts'
import { baseUnits, type Cotton, toWire } from '#game/cotton.ts'
import type { Parcel } from '#game/parcels.ts'
import { PARCELS } from '#game/world.ts'
import { type Db, rowOf, rowset, sql } from '#server/platform/db/db.ts'

/** The state of a continent at one version. */
export type ContinentState = {
  price: Cotton
  version: number
  /** Wallets of the owners, by parcel id. */
  owners: Map<string, string>
  /** The parcels that the game offers, and owned ones that it no longer offers. */
  parcels: readonly Parcel[]
}

type Land = ReadonlyMap<ContinentCode, ContinentState>

type ChangedRow = { code: ContinentCode; price: bigint; excluded: string[]; version: bigint } & (
  | { parcel_id: string; wallet: string }
  | { parcel_id: null; wallet: null }
)

// One statement reads one snapshot, so price, owners and version are consistent.
const readChanged = sql({
  name: 'land-read-changed',
  params: { known: rowset({ code: 'text', version: 'bigint' }) },
  row: rowOf<ChangedRow>(),
  text: ({ known }) =>
    `select c.code, c.price, c.excluded, c.version, l.parcel_id, l.wallet
     from continents c
     left join ${known} using (code)
     left join land l on l.region = c.code
     where c.version is distinct from known.version`,
})

/** Reads the continents whose version differs from that in `known`. */
export async function readChangedLand(db: Db, known: Land): Promise<Land> {
  const rows = await db.rows(readChanged, {
    known: [...known].map(([code, { version }]) => ({ code, version: BigInt(version) })),
  })
  return new Map(
    [...Map.groupBy(rows, (row) => row.code)].map(([code, [first, ...rest]]) => {
      const { price, version, excluded } = first!
      const owners = new Map(
        [first!, ...rest].flatMap((row) => (row.parcel_id === null ? [] : [[row.parcel_id, row.wallet]])),
      )
      const parcels = PARCELS.filter(
        ({ parcelId, regionId }) =>
          regionId === code && (owners.has(parcelId) || !excluded.includes(parcelId)),
      )
      return [code, { price: baseUnits(price), version: Number(version), owners, parcels }]
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
