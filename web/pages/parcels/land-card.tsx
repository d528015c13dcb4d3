import { memo } from 'react'
import type { Cotton } from '#game/cotton.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import { frameClass } from '#web/ui/frame.tsx'
import { LandPicture } from '#web/land/land-picture.tsx'
import type { LandState } from '#web/land/land-state.ts'
import { landMessages } from '#web/messages/en-land.ts'
import styles from '#web/land/lot.module.css'
import { StateBadge } from '#web/land/state-badge.tsx'

type LandCardProps = {
  parcel: LandParcel
  state: LandState
  price: Cotton
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
        {state === 'available' ? <span className="vh">{landMessages.spokenPrice(price)}</span> : null}
      </span>
    </button>
  )
})
