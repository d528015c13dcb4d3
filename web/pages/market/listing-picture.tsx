import type { Listing } from '#web/land/use-listings.ts'
import field from '#web/art/parcel-field.svg'
import { LandPicture } from '#web/land/land-picture.tsx'
import type { LandState } from '#web/land/land-state.ts'
import { marketMessages } from '#web/messages/en-market.ts'
import styles from './card.module.css'

type ListingPictureProps = { listing: Listing; state: LandState; shape: string | null | undefined }

/** The outline of a country; a field with a label for a parcel without a country code. */
export function ListingPicture({ listing, state, shape }: ListingPictureProps) {
  if (listing.assetType === 'country') return <LandPicture parcel={listing} state={state} shape={shape} />
  return (
    <span className={styles.field}>
      <img src={field} width="220" height="136" alt="" />
      <span className={styles.word}>{marketMessages.parcel}</span>
    </span>
  )
}
