import { CONTINENTS } from '#game/continents.ts'
import { PARCELS } from '#game/world.ts'
import { type Queryable, sql } from '#server/platform/db/db.ts'
import { parseContinents, EARLY_MARKETS_SETTING } from './early-markets.ts'

export type MarketMode = 'auto' | 'open' | 'closed'

/** Where players may trade land right now; the server asks at every offer and every purchase. */
export type Market = { openContinents(tx: Queryable): Promise<ReadonlySet<string>> }

const readMarket = sql(
  'market-read-open',
  `select (select coalesce(array_agg(e), '{}') from continents c, unnest(c.excluded) as e) as excluded,
     (select count(*)::integer from land l join continents c on c.code = l.region
      where l.parcel_id <> all(c.excluded)) as sold,
     (select value from settings where name = $1) as early`,
)

type Row = { excluded: string[]; sold: number; early: unknown }

/** `auto` opens once the game has sold every parcel that it offers, and before that where the operator says. */
export function createMarket(mode: MarketMode): Market {
  return {
    async openContinents(tx) {
      if (mode !== 'auto') return new Set<string>(mode === 'open' ? CONTINENTS : [])
      const [row] = await tx.rows<Row>(readMarket, [EARLY_MARKETS_SETTING])
      const { excluded, sold, early } = row!
      const isSoldOut = sold >= PARCELS.filter((parcel) => !excluded.includes(parcel.parcelId)).length
      return new Set<string>(isSoldOut ? CONTINENTS : parseContinents(early))
    },
  }
}
