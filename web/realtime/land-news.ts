import type { DownMessage } from '#contract/realtime.ts'
import { type ContinentCode, CONTINENTS } from '#game/continents.ts'

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

/** The news after a message. Older states and repeated ones change nothing; unknown messages are ignored. */
export function hear(news: WorldNews, message: DownMessage): WorldNews {
  switch (message.type) {
    case 'continentPrices':
      return message.data.reduce(
        (next, { continentCode, currentPrice, version }) =>
          change(next, continentCode, (known) => withPrice(known, currentPrice, version)),
        news,
      )
    case 'parcelStatus': {
      const { continentCode, owned, total, parcels, version } = message.data
      return change(news, continentCode, (known) =>
        withList(withCount(known, { owned, total, version, path: 'socket' }), parcels, version),
      )
    }
    case 'parcelUpdate':
      return change(news, message.data.regionId, (known) => withHearsay(known, message.data.version))
    default:
      return news
  }
}

/** The news after an answer of the stats. */
export function learnStats(news: WorldNews, stats: Stats): WorldNews {
  return CONTINENTS.reduce((next, code) => {
    const read = stats[code]
    if (!read) return next
    const { owned, total, currentPrice, version } = read
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
  const { parcelId, ownerWallet, newPrice, version } = bought
  return change(news, code, (known) => {
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

function withPrice(known: ContinentNews, amount: number, version: number): ContinentNews {
  return known.price && known.price.version >= version ? known : { ...known, price: { amount, version } }
}

function withCount(known: ContinentNews, count: NonNullable<ContinentNews['count']>): ContinentNews {
  const old = known.count
  if (old && (old.version > count.version || (old.version === count.version && old.path === count.path)))
    return known
  return { ...known, count }
}

function withHearsay(known: ContinentNews, version: number): ContinentNews {
  return known.heardOf >= version ? known : { ...known, heardOf: version }
}

function withList(known: ContinentNews, parcels: readonly Owned[], version: number): ContinentNews {
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
