import Clock from 'lucide-react/icons/clock'
import Crown from 'lucide-react/icons/crown'
import { memo } from 'react'
import { type Cotton, cotton, formatCotton } from '#game/cotton.ts'
import { LandBadge } from '#web/land/land-badge.tsx'
import type { Listing } from '#web/land/use-listings.ts'
import coin from '#web/art/coin.svg'
import { useContinentPrice } from '#web/land/use-continent-price.ts'
import { shortAddress } from '#web/ui/short-address.ts'
import { frameClass } from '#web/ui/frame.tsx'
import { TransientButton } from '#web/ui/transient-button.tsx'
import { marketMessages } from '#web/messages/en-market.ts'
import { formatShort } from '#web/messages/amount.ts'
import styles from './card.module.css'
import { ListedAt } from './listed-at.tsx'
import { ListingPicture } from './listing-picture.tsx'
import { Record } from './record.tsx'

/** The element that receives the focus when the focused card disappears. */
export const LISTINGS_ID = 'listings'

/** Prices from here on need a smaller font to fit on one line. */
const LONG_PRICE = cotton(1_000_000_000)

const formatPrice = (price: Cotton | null): string =>
  price !== null && price < LONG_PRICE ? formatCotton(price) : formatShort(price, 2)

type ListingCardProps = {
  listing: Listing
  shape: string | null | undefined
  isMine: boolean
  closed: boolean
  onPurchase: (listing: Listing) => void
}

/** An active listing (S-40). */
export const ListingCard = memo(function ListingCard(props: ListingCardProps) {
  const { listing, shape, isMine, closed, onPurchase } = props
  const { id, countryName, regionName, displayPrice, listedDate, lastPrice, sellerWalletAddress } = listing
  const freePrice = useContinentPrice(listing.continentCode)
  const nameId = `listing-${id}`
  return (
    <article className={frameClass({ small: true }, styles.card)} aria-labelledby={nameId} data-listing={id}>
      <div className={styles.place}>
        <ListingPicture listing={listing} state={isMine ? 'mine' : 'available'} shape={shape} />
        {isMine ? (
          <LandBadge tone="mine" className={styles.badge}>
            <Crown aria-hidden="true" />
            {marketMessages.yours}
          </LandBadge>
        ) : null}
      </div>
      <div className={styles.body}>
        <h2 className={styles.name} id={nameId}>
          {countryName}
        </h2>
        <p className={styles.sub}>{regionName}</p>
        <p className={`num ${styles.price}`}>
          <img src={coin} width="28" height="28" alt="" />
          <span className={displayPrice !== null && displayPrice >= LONG_PRICE ? styles.long : undefined}>
            {formatCotton(displayPrice)} <small>{marketMessages.tokens}</small>
          </span>
        </p>
        <p className={styles.date}>
          <Clock aria-hidden="true" />
          <span>
            {marketMessages.listed} <ListedAt instant={listedDate} />
          </span>
        </p>
        <dl className={styles.records}>
          <Record name={marketMessages.seller}>
            {isMine ? marketMessages.you : shortAddress(sellerWalletAddress)}
          </Record>
          <Record name={marketMessages.lastPaid}>{formatPrice(lastPrice)}</Record>
          <Record name={marketMessages.priceIn(regionName)}>{formatPrice(freePrice)}</Record>
        </dl>
        <TransientButton
          movesValue
          focusAfter={LISTINGS_ID}
          tone={isMine ? 'paper' : 'leaf'}
          size="sm"
          block
          disabled={closed}
          className={styles.act}
          onClick={() => onPurchase(listing)}
        >
          {marketMessages.purchase}
          <span className="vh"> {countryName}</span>
        </TransientButton>
      </div>
    </article>
  )
})
