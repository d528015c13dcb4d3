import { formatCotton, toWire } from '#game/cotton.ts'
import { previousPrice, START_PRICE } from '#game/parcels.ts'
import type { Land } from '#web/land/use-land.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import coin from '#web/art/coin.svg'
import check from '#web/art/icons/check.webp'
import cross from '#web/art/icons/cross.webp'
import hourglass from '#web/art/icons/hourglass.webp'
import info from '#web/art/icons/info.webp'
import { FreshnessBadge } from '#web/realtime/freshness-badge.tsx'
import { Frame, frameBody } from '#web/ui/frame.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Note } from '#web/ui/note.tsx'
import { Stat } from '#web/ui/stat.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { landMessages } from '#web/messages/en-land.ts'
import { Flag } from '#web/land/flag.tsx'
import type { LandState } from '#web/land/land-state.ts'
import styles from './parcels.module.css'
import { SoldBar } from '#web/land/sold-bar.tsx'

type FactsPanelProps = {
  land: Land
  region: string
  stateOf: (parcel: LandParcel) => LandState
}

/** The price of a parcel on the continent, and its sold share. */
export function FactsPanel({ land, region, stateOf }: FactsPanelProps) {
  const { parcels, owned, total, path } = land
  if (!parcels) {
    return (
      <Frame className={styles.facts} aria-hidden="true">
        <div className={classNames(frameBody, styles.factsIn)}>
          <Skeleton height="30px" width="60%" />
          <Skeleton height="36px" />
          <Skeleton height="84px" />
          <Skeleton height="126px" />
        </div>
      </Frame>
    )
  }

  const price = land.price ?? START_PRICE
  const available = total > owned
  const mine = parcels.filter((parcel) => stateOf(parcel) === 'mine')
  return (
    <Frame className={styles.facts} aria-labelledby="facts">
      <div className={classNames(frameBody, styles.factsIn)}>
        <div className={styles.factsHead}>
          <h2 className={styles.h2} id="facts">
            {landMessages.facts(region)}
          </h2>
          <FreshnessBadge failed={land.isSample} />
        </div>
        <div>
          <p className={styles.soldOf}>{landMessages.soldOf(owned, total)}</p>
          <SoldBar large owned={owned} total={total} path={path} region={region} />
        </div>
        <div className={styles.big}>
          <img src={coin} width="52" height="52" alt="" />
          <dl>
            <dt>{landMessages.currentPrice}</dt>
            <dd className="num" key={price} data-price={toWire(price)}>
              {formatCotton(price)} <small>{landMessages.tokens}</small>
            </dd>
          </dl>
        </div>
        <dl>
          <Stat icon={available ? check : cross} label={landMessages.available}>
            {available ? landMessages.yes : landMessages.no}
          </Stat>
          <Stat icon={hourglass} label={landMessages.previousPrice}>
            <span>{formatCotton(previousPrice(price))}</span>
            {owned === 0 ? <small className={styles.noSale}>{landMessages.noSaleYet}</small> : null}
          </Stat>
        </dl>
        {mine.length > 0 ? <Flags parcels={mine} /> : null}
        <Note picture={info} className={styles.rises}>
          {landMessages.priceRule}
        </Note>
      </div>
    </Frame>
  )
}

function Flags({ parcels }: { parcels: readonly LandParcel[] }) {
  return (
    <div className={styles.mine}>
      <h3 className={styles.mineTitle}>{landMessages.flags}</h3>
      <ul className={styles.flagRow}>
        {parcels.map(({ parcelId, countryCode, countryName }) => (
          <li key={parcelId}>
            <Flag countryCode={countryCode} alt={countryName} />
          </li>
        ))}
      </ul>
    </div>
  )
}
