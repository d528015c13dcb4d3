import type { readWorld as route, listAnnouncements as announcementsRoute } from '#contract/console/world.ts'
import type { ConsoleCall, ConsoleReply } from '#contract/console/route.ts'
import { CONTINENT_NAMES, type ContinentCode } from '#game/continents.ts'
import { PARCELS } from '#game/world.ts'
import { WORKER_TYPES, WORKERS } from '#game/workers.ts'
import { readShown, type StoredAnnouncement } from '#server/announcements/announcements.ts'
import { readEarlyMarkets } from '#server/market/early-markets.ts'
import { createMarket, type MarketMode } from '#server/market/market-mode.ts'
import { boundedName } from '#server/platform/db/bounded-name.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { readWorkerSupply } from '#server/workers/read-workers.ts'
import { exact, instant } from './exact.ts'
import { fromCursor, LAST_ID, LAST_TIME, PAGE_ROWS, toPage } from './pages.ts'

type World = ConsoleReply<typeof route>

type Continent = {
  code: ContinentCode
  startPrice: bigint
  price: bigint
  owned: number
  excluded: string[]
  listings: number
}

// The world has a few hundred parcels, so there are no more active listings than that.
const readContinents = sql({
  name: 'console-read-continents',
  row: rowOf<Continent>(),
  text: `select c.code, c.start_price as "startPrice", c.price, c.owned, c.excluded, (
      select count(*)::integer from land d join listings l on l.parcel_id = d.parcel_id and l.state = 'active'
      where d.region = c.code
    ) as listings from continents c
    order by array_position(array['NA', 'SA', 'EU', 'AS', 'AF', 'OC', 'AN'], c.code)`,
})

/** What the game offers. The caller reads it in one transaction. */
export async function readWorld(db: Queryable, marketMode: MarketMode): Promise<World> {
  const [supply, continents, open, early] = await Promise.all([
    readWorkerSupply(db),
    db.rows(readContinents),
    createMarket(marketMode).openContinents(db),
    readEarlyMarkets(db),
  ])
  return {
    workers: WORKER_TYPES.map((type) => {
      const { name, price, ratePerHour } = WORKERS[type]
      return { type, name, price: exact(price), ratePerHour, ...supply[type] }
    }),
    continents: continents.map(({ code, startPrice, price, owned, excluded, listings }) => ({
      code,
      name: CONTINENT_NAMES[code],
      startPrice: exact(startPrice),
      price: exact(price),
      owned,
      offered: PARCELS.filter(({ regionId, parcelId }) => regionId === code && !excluded.includes(parcelId))
        .length,
      excluded,
      marketOpen: open.has(code),
      openedEarly: early.includes(code),
      activeListings: listings,
    })),
    marketMode,
  }
}

const readAnnouncements = sql({
  name: 'console-list-announcements',
  params: { at: 'text', id: 'uuid', limit: 'integer' },
  row: rowOf<Omit<StoredAnnouncement, 'withdrawnBy'> & { key: string }>(),
  text: ({ at, id, limit }) =>
    `select id::text, text, starts_at as "startsAt", ends_at as "endsAt", created_at as "createdAt",
       ${boundedName('created_by')} as "createdBy", withdrawn_at as "withdrawnAt", created_at::text as key
     from announcements where (created_at, id) < (${at}::timestamptz, ${id})
     order by created_at desc, id desc limit ${limit}`,
})

/** A page of announcements, newest first. */
export async function listAnnouncements(
  db: Queryable,
  { cursor, now }: ConsoleCall<typeof announcementsRoute>['query'] & { now: Date },
): Promise<ConsoleReply<typeof announcementsRoute>> {
  const [at = LAST_TIME, id = LAST_ID] = fromCursor(cursor, 2) ?? []
  const shown = new Set((await readShown(db, now)).map((each) => each.id))
  const rows = await db.rows(readAnnouncements, { at, id, limit: PAGE_ROWS + 1 })
  return toPage(rows, {
    key: (row) => [row.key, row.id],
    item: ({ id: uuid, text, startsAt, endsAt, createdAt, createdBy, withdrawnAt }) => ({
      id: uuid,
      text,
      startsAt: instant(startsAt),
      endsAt: instant(withdrawnAt ?? endsAt),
      state:
        withdrawnAt || endsAt <= now
          ? 'over'
          : startsAt > now
            ? 'coming'
            : shown.has(uuid)
              ? 'shown'
              : 'hidden',
      createdAt: instant(createdAt),
      createdBy,
    }),
  })
}
