import { type ContinentCode, CONTINENTS } from '#game/continents.ts'
import type {
  purchaseParcel,
  readContinentPrice,
  readContinentStats,
  readParcels,
} from '#contract/parcels.ts'
import type { ReplyOf } from '#contract/route.ts'
import { type Cotton, cotton, toWire } from '#game/cotton.ts'
import { parcelOf } from '#game/world.ts'
import { assert } from '#server/platform/assert.ts'
import type { Db } from '#server/platform/db/db.ts'
import { CachedResponse } from '#server/platform/http/cached-response.ts'
import { memoize } from '#server/platform/memoize.ts'
import { encodeFrame } from '#server/realtime/encode-frame.ts'
import { type ContinentState, parcelOnWire, readChangedLand, statsOf } from './read-land.ts'

type Parcels = ReplyOf<typeof readParcels>
type Change = { parcelId: string; owner: string; version: number; price?: Cotton }
type Sale = Pick<ReplyOf<typeof purchaseParcel>, 'parcel' | 'newContinentPrice' | 'version'>

/** The channel of a continent's land. */
export const channelOf = (code: ContinentCode) => `continent:${code}`

const channelsOf = (codes: readonly ContinentCode[]): string[] =>
  codes.length === 0 ? [] : ['prices', ...codes.map(channelOf)]

/** All land as this process knows it, with encoded responses and frames. */
export type LandView = {
  /** Reads the changed continents and returns the channels that changed. Calls must not overlap. */
  refresh(): Promise<string[]>
  /**
   * Applies a sale from its reply and returns the channels that changed. Null if other changes happened before it, so
   * that the land has to be read instead.
   */
  applySale(sale: Sale): string[] | null
  /** Applies a resale in the same way. */
  applyOwnerChange(change: { parcelId: string; owner: string; version: number }): string[] | null
  prices(region: ContinentCode): CachedResponse<ReplyOf<typeof readContinentPrice>>
  stats(): CachedResponse<ReplyOf<typeof readContinentStats>>
  parcels(region: ContinentCode): CachedResponse<Parcels>
  parcelsOf(owner: string): Parcels
  /** The frame `continentPrices`. */
  pricesFrame(): Buffer
  /** The frame `parcelStatus`. */
  statusFrame(region: ContinentCode): Buffer
  /** The frame `parcelUpdate`. */
  updateFrame(region: ContinentCode): Buffer
}

/** Reads all land into memory. `refresh` reads what has changed since. */
export async function openLandView(db: Db): Promise<LandView> {
  const land = new Map<ContinentCode, ReturnType<typeof continentView>>()
  const of = (region: ContinentCode) => {
    const view = land.get(region)
    assert(view, `the database contains the continent ${region}`)
    return view
  }
  const refresh = async () => {
    const states = new Map([...land].map(([code, view]) => [code, view.state]))
    const read = [...(await readChangedLand(db, states))]
    // Changes applied during the read may be newer than the rows.
    const changed = read.filter(([code, { version }]) => {
      const state = land.get(code)?.state
      return state === states.get(code) || version > state!.version
    })
    put(changed)
    return channelsOf(changed.map(([code]) => code))
  }
  const put = (states: readonly (readonly [ContinentCode, ContinentState])[]) => {
    for (const [code, state] of states) land.set(code, continentView(code, state))
    if (states.length > 0) world = worldView((code) => of(code).state)
  }
  let world = worldView((code) => of(code).state)
  await refresh()

  const applyChange = ({ parcelId, owner, version, price }: Change) => {
    const code = parcelOf(parcelId)!.regionId
    const { state } = of(code)
    if (version <= state.version) return []
    // A stored response from before versions existed has none.
    if (version !== state.version + 1) return null
    state.owners.set(parcelId, owner)
    put([[code, { ...state, price: price ?? state.price, version }]])
    return channelsOf([code])
  }

  return {
    refresh,
    applySale: ({ parcel: { parcelId, ownerWallet: owner }, newContinentPrice, version }) =>
      applyChange({ parcelId, owner, version, price: cotton(newContinentPrice) }),
    applyOwnerChange: applyChange,
    prices: (region) => of(region).price(),
    stats: () => world.stats(),
    parcels: (region) => of(region).parcels(),
    parcelsOf: (owner) =>
      CONTINENTS.flatMap((code) =>
        of(code)
          .parcels()
          .reply.filter((parcel) => parcel.ownerWallet === owner),
      ),
    pricesFrame: () => world.pricesFrame(),
    statusFrame: (region) => of(region).statusFrame(),
    updateFrame: (region) => of(region).updateFrame(),
  }
}

// Each encoding is computed on first use, because many sales may happen between two reads.
function continentView(code: ContinentCode, state: ContinentState) {
  const { owners, parcels, price, version } = state
  const parcelsResponse = memoize(
    () => new CachedResponse<Parcels>(parcels.map((parcel) => parcelOnWire(parcel, owners))),
  )
  return {
    state,
    parcels: parcelsResponse,
    price: memoize(() => new CachedResponse({ success: true as const, currentPrice: toWire(price) })),
    statusFrame: memoize(() => {
      const { owned, total } = statsOf(state)
      const each = parcels.map(({ parcelId }) => {
        const ownerWallet = owners.get(parcelId) ?? null
        return { parcelId, owned: ownerWallet !== null, ownerWallet }
      })
      return encodeFrame({
        type: 'parcelStatus',
        data: { continentCode: code, total, owned, parcels: each, version },
      })
    }),
    updateFrame: memoize(() => encodeFrame({ type: 'parcelUpdate', data: { regionId: code, version } })),
  }
}

function worldView(stateOf: (code: ContinentCode) => ContinentState) {
  return {
    stats: memoize(() => {
      const all = CONTINENTS.map((code) => [code, statsOf(stateOf(code))])
      return new CachedResponse(Object.fromEntries(all) as ReplyOf<typeof readContinentStats>)
    }),
    pricesFrame: memoize(() =>
      encodeFrame({
        type: 'continentPrices',
        data: CONTINENTS.map((code) => {
          const { price, version } = stateOf(code)
          return { continentCode: code, currentPrice: toWire(price), version }
        }),
      }),
    ),
  }
}
