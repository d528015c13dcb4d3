import { CONTINENT_NAMES, type ContinentCode, isContinentCode } from '#game/continents.ts'
import { formatCotton } from '#game/cotton.ts'
import { continentOf } from '#game/parcels.ts'
import { marketMessages } from '#web/messages/en-market.ts'
import { Coins } from '#web/ui/coins.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import styles from './market.module.css'
import { useContinentPrice } from './use-continent-price.ts'
import { useSales } from './use-listings.ts'

/** For the owner of a parcel: what they paid, and the current price of its continent. */
export function PricesToCompare({ parcelId }: { parcelId: string }) {
  const code = continentOf(parcelId)
  return isContinentCode(code) ? <Prices parcelId={parcelId} code={code} /> : null
}

function Prices({ parcelId, code }: { parcelId: string; code: ContinentCode }) {
  const { data: sales } = useSales(parcelId)
  const free = useContinentPrice(code)
  return (
    <div className={styles.compared}>
      <Facts>
        <Fact name={marketMessages.youPaid}>
          <Coins>{formatCotton(sales?.at(-1)?.price ?? null)}</Coins>
        </Fact>
        <Fact name={marketMessages.priceIn(CONTINENT_NAMES[code])}>
          <Coins>{formatCotton(free)}</Coins>
        </Fact>
      </Facts>
    </div>
  )
}
