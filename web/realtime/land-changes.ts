import type { ServerMessage } from '#contract/realtime.ts'
import { type ContinentCode, CONTINENTS } from '#game/continents.ts'
import type { Cotton } from '#game/cotton.ts'
import { complete, orNull, UNKNOWN, UNKNOWN_AMOUNT } from '#web/api/complete.ts'

/** The source of a figure. The sold bar has different thresholds for each (spec §9, A-15). */
export type UpdatePath = 'api' | 'socket'

export type Ownership = { owned: boolean; ownerWallet: string | null; version: number }

/** The known state of a continent. Each part has the version of the server's state that it belongs to. */
export type ContinentState = {
  price: { amount: Cotton; version: number } | null
  count: { owned: number; total: number; version: number; path: UpdatePath } | null
  ownerships: ReadonlyMap<string, Ownership>
  /** All ownerships are at least this new; `NO_VERSION` before the first list of a connection. */
  listVersion: number
  /**
   * A list that was read gets the version of the stats that were read before it. It may be older than that, if another api answered
   * that was behind. A frame of the same version, and a list that was read when every api knew that version, therefore replace it.
   */
  isListSure: boolean
  /** The newest version in any frame or reply. If it is above `listVersion`, the list has to be read. */
  newestVersion: number
}

export type WorldState = Readonly<Record<ContinentCode, ContinentState>>

type Owned = { parcelId: string; owned: boolean; ownerWallet: string | null }

/** A reply of the stats by continent code, before it is completed. */
export type Stats = Readonly<Record<string, object | undefined>>

/** Older than every version of the server. */
const NO_VERSION = -1

const NOTHING: ContinentState = {
  price: null,
  count: null,
  ownerships: new Map(),
  listVersion: NO_VERSION,
  isListSure: false,
  newestVersion: NO_VERSION,
}

export const EMPTY_WORLD = Object.fromEntries(CONTINENTS.map((code) => [code, NOTHING])) as WorldState

const NOWHERE = '' as ContinentCode
const PRICE = { continentCode: NOWHERE, currentPrice: UNKNOWN_AMOUNT, version: UNKNOWN }
const OWNERSHIP: Owned = { parcelId: '', owned: false, ownerWallet: orNull('') }
const STATUS = {
  continentCode: NOWHERE,
  owned: UNKNOWN,
  total: UNKNOWN,
  parcels: orNull([OWNERSHIP]),
  version: UNKNOWN,
}
const UPDATE = { regionId: NOWHERE, version: UNKNOWN }
const STATS = { owned: UNKNOWN, total: UNKNOWN, currentPrice: UNKNOWN_AMOUNT, version: UNKNOWN }

/** The state after a message. Older or repeated versions and unknown messages change nothing. */
export function applyMessage(world: WorldState, message: ServerMessage): WorldState {
  switch (message.type) {
    case 'continentPrices':
      return complete([PRICE], message.data).reduce(
        (next, { continentCode, currentPrice, version }) =>
          updateContinent(next, continentCode, (known) => withPrice(known, currentPrice, version)),
        world,
      )
    case 'parcelStatus': {
      const { continentCode, owned, total, parcels, version } = complete(STATUS, message.data)
      return updateContinent(world, continentCode, (known) => {
        const counted = withCount(known, { owned, total, version, path: 'socket' })
        // A frame without a list means that the list has to be read.
        return parcels
          ? withList(counted, parcels, { version, isSure: true })
          : withNewestVersion(counted, version)
      })
    }
    case 'parcelUpdate': {
      const { regionId, version } = complete(UPDATE, message.data)
      return updateContinent(world, regionId, (known) => withNewestVersion(known, version))
    }
    default:
      return world
  }
}

/** The state after a reply of the stats. */
export function applyStats(world: WorldState, stats: Stats): WorldState {
  return CONTINENTS.reduce((next, code) => {
    const read = stats[code]
    if (!read) return next
    const { owned, total, currentPrice, version } = complete(STATS, read)
    return updateContinent(next, code, (known) =>
      withNewestVersion(
        withPrice(withCount(known, { owned, total, version, path: 'api' }), currentPrice, version),
        version,
      ),
    )
  }, world)
}

/**
 * The state after a list of a continent's parcels, with the version of the stats that were read before it. `isSure` if every api
 * knew that version by then.
 */
export function applyParcelList(
  world: WorldState,
  code: ContinentCode,
  { parcels, version, isSure }: { parcels: readonly Owned[]; version: number; isSure: boolean },
): WorldState {
  const owned = parcels.filter((parcel) => parcel.owned).length
  return updateContinent(world, code, (known) => {
    // A count of the same version, from the stats or a frame, is surer than that of the list.
    const isCounted = known.count !== null && known.count.version >= version
    const counted = isCounted
      ? known
      : withCount(known, { owned, total: parcels.length, version, path: 'api' })
    return withList(counted, parcels, { version, isSure })
  })
}

/** The state after the player's own purchase, which is one of the changes up to its version. */
export function applyPurchase(
  world: WorldState,
  code: ContinentCode,
  bought: { parcelId: string; ownerWallet: string; newPrice: Cotton | null; version: number },
): WorldState {
  const { parcelId, ownerWallet, newPrice } = bought
  return updateContinent(world, code, (known) => {
    const version = versionOrNext(bought.version, Math.max(known.newestVersion, known.listVersion))
    const ownerships = withOwnerships(known.ownerships, [{ parcelId, owned: true, ownerWallet }], { version })
    const isNext = version === known.listVersion + 1
    const count =
      known.count && version === known.count.version + 1
        ? { ...known.count, owned: known.count.owned + 1, version }
        : known.count
    return withNewestVersion(
      withPrice(
        { ...known, ownerships, count, listVersion: isNext ? version : known.listVersion },
        newPrice,
        version,
      ),
      version,
    )
  })
}

/**
 * The same figures without their versions, so that the next ones apply whatever their versions are: a new connection may lead
 * to a database that was restored and has fewer sales.
 */
export function withoutVersions(world: WorldState): WorldState {
  return CONTINENTS.reduce(
    (next, code) =>
      updateContinent(next, code, ({ price, count, ownerships }) => ({
        price: price && { ...price, version: NO_VERSION },
        count: count && { ...count, version: NO_VERSION },
        ownerships: new Map(
          [...ownerships].map(([parcelId, known]) => [parcelId, { ...known, version: NO_VERSION }]),
        ),
        listVersion: NO_VERSION,
        isListSure: false,
        newestVersion: NO_VERSION,
      })),
    world,
  )
}

/** Whether a newer version than that of the list is known. */
export const isBehind = (known: ContinentState): boolean => known.newestVersion > known.listVersion

function updateContinent(
  world: WorldState,
  code: ContinentCode,
  update: (known: ContinentState) => ContinentState,
): WorldState {
  const known = world[code]
  if (!known) return world
  const next = update(known)
  return next === known ? world : { ...world, [code]: next }
}

// A state without a version counts as the next one.
const versionOrNext = (version: number, known: number | undefined): number =>
  Number.isNaN(version) ? (known ?? 0) + 1 : version

function withPrice(known: ContinentState, amount: Cotton | null, newVersion: number): ContinentState {
  const version = versionOrNext(newVersion, known.price?.version)
  if (amount === null || (known.price && known.price.version >= version)) return known
  return { ...known, price: { amount, version } }
}

function withCount(known: ContinentState, newCount: NonNullable<ContinentState['count']>): ContinentState {
  const old = known.count
  const count = { ...newCount, version: versionOrNext(newCount.version, old?.version) }
  if (Number.isNaN(count.owned + count.total)) return known
  // Reading again what was pushed must not change the colour of the bar.
  const isSame = old?.version === count.version && (old.path === count.path || old.path === 'socket')
  if (old && (old.version > count.version || isSame)) return known
  return { ...known, count }
}

function withNewestVersion(known: ContinentState, newVersion: number): ContinentState {
  const version = versionOrNext(newVersion, known.newestVersion)
  return known.newestVersion >= version ? known : { ...known, newestVersion: version }
}

function withList(
  known: ContinentState,
  parcels: readonly Owned[],
  { version: newVersion, isSure }: { version: number; isSure: boolean },
): ContinentState {
  const version = Number.isNaN(newVersion) ? Math.max(known.newestVersion, known.listVersion + 1) : newVersion
  const isSurer = isSure && !known.isListSure
  if (known.listVersion > version || (known.listVersion === version && !isSurer)) return known
  return {
    ...known,
    ownerships: withOwnerships(known.ownerships, parcels, { version, replacesEqual: isSurer }),
    listVersion: version,
    isListSure: isSure,
    newestVersion: Math.max(known.newestVersion, version),
  }
}

/** Each parcel has its newest holding. The player's own purchase may be newer than the next list. */
function withOwnerships(
  known: ReadonlyMap<string, Ownership>,
  parcels: readonly Owned[],
  { version, replacesEqual = false }: { version: number; replacesEqual?: boolean },
): ReadonlyMap<string, Ownership> {
  const next = new Map(known)
  for (const { parcelId, owned, ownerWallet } of parcels) {
    const old = next.get(parcelId)
    if (!old || old.version < version || (replacesEqual && old.version === version))
      next.set(parcelId, { owned, ownerWallet, version })
  }
  return next
}
