import Check from 'lucide-react/icons/check'
import Handshake from 'lucide-react/icons/handshake'
import { formatCotton } from '#game/cotton.ts'
import { serverClock } from '#web/api/server-clock.ts'
import { LandBadge } from '#web/land/land-badge.tsx'
import type { Listing } from '#web/land/use-listings.ts'
import { frameClass } from '#web/ui/frame.tsx'
import { shortAddress } from '#web/ui/short-address.ts'
import { TransientButton } from '#web/ui/transient-button.tsx'
import { formatAmount } from '#web/messages/amount.ts'
import { marketMessages } from '#web/messages/en-market.ts'
import { formatFullMoment } from '#web/messages/locale.ts'
import styles from './card.module.css'
import { LISTINGS_ID } from './listing-card.tsx'
import { ListingPicture } from './listing-picture.tsx'
import { formatDay } from './format-listed-at.ts'
import { Record } from './record.tsx'
import { useCancelListing } from './use-cancel-listing.ts'

/** An active or sold listing of the player (S-42). */
export function MyListingCard({ listing, shape }: { listing: Listing; shape: string | null | undefined }) {
  const { id, countryName, regionName, status, originalPrice, sellerReceives, lastPrice } = listing
  const nameId = `mine-${id}`
  const active = status === 'active'
  // Of a state that only a newer server knows, nothing more is said.
  const sold = status === 'sold'
  const Picture = active ? Check : Handshake
  return (
    <article className={frameClass({ small: true }, styles.card)} aria-labelledby={nameId} data-listing={id}>
      <div className={styles.place}>
        <ListingPicture listing={listing} state={active ? 'mine' : 'owned'} shape={shape} />
        <LandBadge tone={active ? 'free' : 'sold'} className={styles.badge}>
          <Picture aria-hidden="true" />
          <span>{marketMessages.states[status] ?? status}</span>
        </LandBadge>
      </div>
      <div className={styles.body}>
        <h2 className={styles.name} id={nameId}>
          {countryName}
        </h2>
        <p className={styles.sub}>{regionName}</p>
        <dl className={styles.records}>
          <Record name={marketMessages.originalPrice}>{formatCotton(originalPrice)}</Record>
          <Record name={sold ? marketMessages.received : marketMessages.receive}>
            {formatAmount(sellerReceives)}
          </Record>
          <Record name={marketMessages.youPaid}>{formatCotton(lastPrice)}</Record>
          {sold ? <Sold listing={listing} /> : null}
        </dl>
        {active ? <CancelButton listingId={id} name={countryName} /> : null}
      </div>
    </article>
  )
}

function Sold({ listing: { buyerWalletAddress, purchaseDate } }: { listing: Listing }) {
  return (
    <>
      <Record name={marketMessages.buyer}>
        {buyerWalletAddress ? shortAddress(buyerWalletAddress) : '–'}
      </Record>
      <Record name={marketMessages.soldOn}>
        {purchaseDate ? (
          <time dateTime={purchaseDate} title={formatFullMoment(purchaseDate)}>
            {formatDay(purchaseDate, serverClock.now())}
          </time>
        ) : (
          '–'
        )}
      </Record>
    </>
  )
}

function CancelButton({ listingId, name }: { listingId: string; name: string }) {
  const { cancel, cancelling, resting } = useCancelListing(listingId)
  return (
    <TransientButton
      focusAfter={LISTINGS_ID}
      tone="berry"
      size="sm"
      block
      busy={cancelling}
      resting={resting}
      className={styles.act}
      onClick={cancel}
    >
      <span>{cancelling ? marketMessages.cancelling : marketMessages.cancelListing}</span>
      <span className="vh"> {name}</span>
    </TransientButton>
  )
}
