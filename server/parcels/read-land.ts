import type * as z from 'zod/mini'
import type { ContinentStats, ParcelOnWire } from '#contract/parcels.ts'
import type { ContinentCode } from '#game/continents.ts'
import { baseUnits, type Cotton, toWire } from '#game/cotton.ts'
import type { Parcel } from '#game/parcels.ts'
import { PARCELS } from '#game/world.ts'
import { type Db, sql } from '#server/platform/db/db.ts'

/** A continent as of one version. */
export type ContinentState = {
  price: Cotton
  version: number
  /** Who owns what: wallets by parcel id. */
  owners: Map<string, string>
  /** What the game offers there, and what is owned although it is not offered any more. */
  parcels: readonly Parcel[]
}

type Land = ReadonlyMap<ContinentCode, ContinentState>

// One statement sees one moment, so that price, owners and version belong together.
const readChanged = sql(
  'land-read-changed',
  `select c.code, c.price, c.excluded, c.version, l.parcel_id, l.wallet
   from continents c
   left join unnest($1::text[], $2::bigint[]) as known (code, version) using (code)
   left join land l on l.region = c.code
   where c.version is distinct from known.version`,
)

/** The continents whose version is another than in `known`, as they are now. */
export async function readChangedLand(db: Db, known: Land): Promise<Land> {
  type Row = { code: ContinentCode; price: bigint; excluded: string[]; version: bigint } & (
    | { parcel_id: string; wallet: string }
    | { parcel_id: null; wallet: null }
  )
  const rows = await db.rows<Row>(readChanged, [
    [...known.keys()],
    [...known.values()].map((state) => state.version),
  ])
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

/** What `/api/continent-stats` says of a continent. */
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
