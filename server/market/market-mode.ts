import { PARCELS } from '#game/world.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'

export type MarketMode = 'auto' | 'open' | 'closed'

/** Whether players may trade land right now; the server asks at every offer and every purchase. */
export type Market = { isOpen(tx: Tx): Promise<boolean> }

const countOffered = sql(
  'market-count-offered',
  `select (select coalesce(array_agg(e), '{}') from continents c, unnest(c.excluded) as e) as excluded,
     (select count(*)::integer from land l join continents c on c.code = l.region
      where l.parcel_id <> all(c.excluded)) as sold`,
)

/** `auto` opens by itself once the game has sold every parcel that it offers. */
export function marketIn(mode: MarketMode): Market {
  return {
    async isOpen(tx) {
      if (mode !== 'auto') return mode === 'open'
      const [{ excluded, sold }] = (await tx.rows<{ excluded: string[]; sold: number }>(countOffered)) as [
        { excluded: string[]; sold: number },
      ]
      return sold >= PARCELS.filter((parcel) => !excluded.includes(parcel.parcelId)).length
    },
  }
}
