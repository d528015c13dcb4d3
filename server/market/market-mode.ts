import { CONTINENTS } from '#game/continents.ts'
import { PARCELS } from '#game/world.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { parseContinents, EARLY_MARKETS_SETTING } from './early-markets.ts'

export type MarketMode = 'auto' | 'open' | 'closed'

/** The continents on which players can trade land now. Read for each offer and each purchase. */
export type Market = { openContinents(db: Queryable): Promise<ReadonlySet<string>> }

const readMarket = sql({
  name: 'market-read-open',
  params: { setting: 'text' },
  row: rowOf<{ excluded: string[]; sold: number; early: unknown }>(),
  text: ({ setting }) =>
    `select (select coalesce(array_agg(e), '{}') from continents c, unnest(c.excluded) as e) as excluded,
       (select count(*)::integer from land l join continents c on c.code = l.region
        where l.parcel_id <> all(c.excluded)) as sold,
       (select value from settings where name = ${setting}) as early`,
})

/** `auto` opens when the game has sold every parcel that it offers, or earlier where the operator opens it. */
export function createMarket(mode: MarketMode): Market {
  return {
    async openContinents(db) {
      if (mode !== 'auto') return new Set<string>(mode === 'open' ? CONTINENTS : [])
      const [row] = await db.rows(readMarket, { setting: EARLY_MARKETS_SETTING })
      const { excluded, sold, early } = row!
      const isSoldOut = sold >= PARCELS.filter((parcel) => !excluded.includes(parcel.parcelId)).length
      return new Set<string>(isSoldOut ? CONTINENTS : parseContinents(early))
    },
  }
}
