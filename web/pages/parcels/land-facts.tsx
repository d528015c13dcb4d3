import type { ReactNode } from 'react'
import { type Cotton, formatCotton } from '#game/cotton.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import coin from '#web/art/coin.svg'
import type { LandState } from '#web/land/land-state.ts'
import { OwnerChip } from '#web/land/owner-chip.tsx'
import { StateBadge } from '#web/land/state-badge.tsx'
import { landMessages } from '#web/messages/en-land.ts'
import { Coins } from '#web/ui/coins.tsx'
import { classNames } from '#web/ui/class-names.ts'
import styles from './details.module.css'

type LandFactsProps = {
  parcel: LandParcel
  state: LandState
  price: Cotton
  /** What its owner asks for it; null if it is not for sale. */
  resalePrice: Cotton | null
}

const NAME_ID = 'land-name'
const PRICE_ID = 'land-price'

/** What describes the details of land. */
export const LAND_OFFER_IDS = [NAME_ID, PRICE_ID]

/** What a player wants to know first: the country, whether it is free, and its price or its owner (S-36). */
export function LandFacts({ parcel, state, price, resalePrice }: LandFactsProps) {
  const { parcelId, regionName, countryName, area, tier } = parcel
  return (
    <>
      <dl className={styles.head} id={NAME_ID}>
        <Fact className={styles.country} name={landMessages.country}>
          {countryName}
        </Fact>
        <Fact className={styles.status} name={landMessages.status}>
          <StateBadge state={state} />
        </Fact>
      </dl>
      <div className={styles.asked} id={PRICE_ID}>
        {state === 'available' ? (
          <>
            <dl>
              <Fact name={landMessages.price}>
                <span className={styles.price}>
                  <img src={coin} width="32" height="32" alt="" />
                  <output className="num">{formatCotton(price)}</output>
                </span>
              </Fact>
            </dl>
            <p>{landMessages.samePrice(regionName)}</p>
          </>
        ) : (
          <dl className={styles.owners}>
            <Fact name={landMessages.owner}>
              <OwnerChip parcel={parcel} state={state} />
            </Fact>
            {resalePrice === null ? null : (
              <Fact name={landMessages.forSale}>
                <Coins>{formatCotton(resalePrice)}</Coins>
              </Fact>
            )}
          </dl>
        )}
      </div>
      <dl className={styles.facts}>
        <Fact className={styles.tier} name={landMessages.tierName}>
          {tier === undefined ? '–' : landMessages.tierMeaning(tier)}
        </Fact>
        <Fact name={landMessages.area}>{landMessages.km2(area)}</Fact>
        <Fact name={landMessages.region}>{regionName}</Fact>
        <Fact name={landMessages.code}>{parcelId}</Fact>
      </dl>
      <p className={styles.purpose}>{state === 'mine' ? landMessages.purposeOfMine : landMessages.purpose}</p>
    </>
  )
}

type FactProps = { name: string; className?: string; children: ReactNode }

const Fact = ({ name, className, children }: FactProps) => (
  <div className={classNames(styles.fact, className)}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
