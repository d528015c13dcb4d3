import { memo } from 'react'
import { type Cotton, cotton, formatCotton } from '#game/cotton.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import coin from '#web/art/coin.svg'
import { formatShort } from '#web/messages/amount.ts'
import { frameClass } from '#web/ui/frame.tsx'
import { LandPicture } from '#web/land/land-picture.tsx'
import type { LandState } from '#web/land/land-state.ts'
import { landMessages } from '#web/messages/en-land.ts'
import styles from '#web/land/lot.module.css'
import { OwnerChip } from '#web/land/owner-chip.tsx'
import { StateBadge } from '#web/land/state-badge.tsx'

/** Prices from here on do not fit a card of a phone. */
const LONG_PRICE = cotton(100_000_000)

type LandCardProps = {
  parcel: LandParcel
  state: LandState
  /** Null for land that is not for sale. */
  price: Cotton | null
  shape: string | null | undefined
  onChoose: (parcel: LandParcel) => void
}

/** A parcel as a button. */
export const LandCard = memo(function LandCard({ parcel, state, price, shape, onChoose }: LandCardProps) {
  return (
    <button
      type="button"
      className={frameClass({ small: true }, styles.lot)}
      data-parcel={parcel.parcelId}
      onClick={() => onChoose(parcel)}
    >
      <LandPicture parcel={parcel} state={state} shape={shape} />
      <span className={styles.body}>
        <span className={styles.name}>
          {parcel.countryName}
          <span className="vh">{landMessages.spokenTier(parcel.tier)}</span>
        </span>
        <span className={styles.facts}>
          <StateBadge state={state} />
          <span className={styles.tierWord} aria-hidden="true">
            {landMessages.tier(parcel.tier)}
          </span>
        </span>
        <span className={styles.asks}>
          {price === null ? (
            state === 'mine' ? null : (
              <OwnerChip parcel={parcel} state={state} />
            )
          ) : (
            <>
              {state === 'available' ? null : <span>{landMessages.forSale}</span>}
              <img src={coin} width="20" height="20" alt="" />
              <span className="num">{price < LONG_PRICE ? formatCotton(price) : formatShort(price, 2)}</span>
              <span className="vh"> {landMessages.tokens}</span>
            </>
          )}
        </span>
      </span>
    </button>
  )
})
