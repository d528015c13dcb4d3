import type { DownMessage } from '#contract/realtime.ts'
import { type ContinentCode, CONTINENTS } from '#game/continents.ts'
import { complete, orNull, UNKNOWN } from '#web/api/complete.ts'

/** Where a figure came from last: the sold bar changes colour at other shares on each way (spec §9, A-15). */
export type NewsPath = 'api' | 'socket'

export type Holding = { owned: boolean; ownerWallet: string | null; version: number }

/** What is known of a continent. Everything carries the version of the continent's state that it belongs to. */
export type ContinentNews = {
  price: { amount: number; version: number } | null
  count: { owned: number; total: number; version: number; path: NewsPath } | null
  holdings: ReadonlyMap<string, Holding>
  /** All holdings are at least this new; -1 before the first list. */
  listedAt: number
  /** The newest state that anybody told of; beyond `listedAt` the list has to be read. */
  heardOf: number
}

export type WorldNews = Readonly<Record<ContinentCode, ContinentNews>>

type Owned = { parcelId: string; owned: boolean; ownerWallet: string | null }

export type Stats = Readonly<
  Record<string, { owned: number; total: number; currentPrice: number; version: number } | undefined>
>

const NOTHING: ContinentNews = { price: null, count: null, holdings: new Map(), listedAt: -1, heardOf: -1 }

export const NO_NEWS = Object.fromEntries(CONTINENTS.map((code) => [code, NOTHING])) as WorldNews

const NOWHERE = '' as ContinentCode
const PRICE = { continentCode: NOWHERE, currentPrice: UNKNOWN, version: UNKNOWN }
const HOLDING: Owned = { parcelId: '', owned: false, ownerWallet: orNull('') }
const STATUS = {
  continentCode: NOWHERE,
  owned: UNKNOWN,
  total: UNKNOWN,
  parcels: orNull([HOLDING]),
  version: UNKNOWN,
}
const UPDATE = { regionId: NOWHERE, version: UNKNOWN }
const STATS = { owned: UNKNOWN, total: UNKNOWN, currentPrice: UNKNOWN, version: UNKNOWN }

/** The news after a message. Older states and repeated ones change nothing; unknown messages are ignored. */
export function hear(news: WorldNews, message: DownMessage): WorldNews {
  switch (message.type) {
    case 'continentPrices':
      return complete([PRICE], message.data).reduce(
        (next, { continentCode, currentPrice, version }) =>
          change(next, continentCode, (known) => withPrice(known, currentPrice, version)),
        news,
      )
    case 'parcelStatus': {
      const { continentCode, owned, total, parcels, version } = complete(STATUS, message.data)
      return change(news, continentCode, (known) => {
        const counted = withCount(known, { owned, total, version, path: 'socket' })
        // Without its list a frame tells only that there is something to read.
        return parcels ? withList(counted, parcels, version) : withHearsay(counted, version)
      })
    }
    case 'parcelUpdate': {
      const { regionId, version } = complete(UPDATE, message.data)
      return change(news, regionId, (known) => withHearsay(known, version))
    }
    default:
      return news
  }
}

/** The news after an answer of the stats. */
export function learnStats(news: WorldNews, stats: Stats): WorldNews {
  return CONTINENTS.reduce((next, code) => {
    const read = stats[code]
    if (!read) return next
    const { owned, total, currentPrice, version } = complete(STATS, read)
    return change(next, code, (known) =>
      withHearsay(
        withPrice(withCount(known, { owned, total, version, path: 'api' }), currentPrice, version),
        version,
      ),
    )
  }, news)
}

/** The news after an answer of a continent's parcels, which is at least as new as the stats read before it. */
export function learnList(
  news: WorldNews,
  code: ContinentCode,
  { parcels, version }: { parcels: readonly Owned[]; version: number },
): WorldNews {
  const owned = parcels.filter((parcel) => parcel.owned).length
  return change(news, code, (known) =>
    withList(withCount(known, { owned, total: parcels.length, version, path: 'api' }), parcels, version),
  )
}

/** The news after a purchase of one's own, which is one change among those that led to its version. */
export function learnPurchase(
  news: WorldNews,
  code: ContinentCode,
  bought: { parcelId: string; ownerWallet: string; newPrice: number; version: number },
): WorldNews {
  const { parcelId, ownerWallet, newPrice } = bought
  return change(news, code, (known) => {
    const version = orNext(bought.version, Math.max(known.heardOf, known.listedAt))
    const holdings = withHoldings(known.holdings, [{ parcelId, owned: true, ownerWallet }], version)
    const isNext = version === known.listedAt + 1
    const count =
      known.count && version === known.count.version + 1
        ? { ...known.count, owned: known.count.owned + 1, version }
        : known.count
    return withHearsay(
      withPrice(
        { ...known, holdings, count, listedAt: isNext ? version : known.listedAt },
        newPrice,
        version,
      ),
      version,
    )
  })
}

/** Somebody told of a state that the list does not show yet. */
export const isBehind = (known: ContinentNews): boolean => known.heardOf > known.listedAt

function change(
  news: WorldNews,
  code: ContinentCode,
  apply: (known: ContinentNews) => ContinentNews,
): WorldNews {
  const known = news[code]
  if (!known) return news
  const next = apply(known)
  return next === known ? news : { ...news, [code]: next }
}

// What does not say how new it is counts as the next that is known.
const orNext = (version: number, known: number | undefined): number =>
  Number.isNaN(version) ? (known ?? 0) + 1 : version

function withPrice(known: ContinentNews, amount: number, given: number): ContinentNews {
  const version = orNext(given, known.price?.version)
  if (Number.isNaN(amount) || (known.price && known.price.version >= version)) return known
  return { ...known, price: { amount, version } }
}

function withCount(known: ContinentNews, given: NonNullable<ContinentNews['count']>): ContinentNews {
  const old = known.count
  const count = { ...given, version: orNext(given.version, old?.version) }
  if (Number.isNaN(count.owned + count.total)) return known
  if (old && (old.version > count.version || (old.version === count.version && old.path === count.path)))
    return known
  return { ...known, count }
}

function withHearsay(known: ContinentNews, given: number): ContinentNews {
  const version = orNext(given, known.heardOf)
  return known.heardOf >= version ? known : { ...known, heardOf: version }
}

function withList(known: ContinentNews, parcels: readonly Owned[], given: number): ContinentNews {
  const version = Number.isNaN(given) ? Math.max(known.heardOf, known.listedAt + 1) : given
  if (known.listedAt >= version) return known
  return {
    ...known,
    holdings: withHoldings(known.holdings, parcels, version),
    listedAt: version,
    heardOf: Math.max(known.heardOf, version),
  }
}

/** Each parcel keeps what is newest of it: a purchase of one's own may be ahead of the list that comes next. */
function withHoldings(
  known: ReadonlyMap<string, Holding>,
  parcels: readonly Owned[],
  version: number,
): ReadonlyMap<string, Holding> {
  const next = new Map(known)
  for (const { parcelId, owned, ownerWallet } of parcels) {
    const old = next.get(parcelId)
    if (!old || old.version < version) next.set(parcelId, { owned, ownerWallet, version })
  }
  return next
}
