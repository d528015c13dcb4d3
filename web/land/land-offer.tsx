import { continentOf } from '#game/parcels.ts'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router'
import { type Cotton, cotton, formatCotton } from '#game/cotton.ts'
import { useListings } from './use-listings.ts'
import { useOpenContinents } from '#web/api/use-market-open.ts'
import tag from '#web/art/icons/tag.webp'
import { paths } from '#web/paths.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { marketMessages } from '#web/messages/en-market.ts'
import { formatShort } from '#web/messages/amount.ts'

/** The marketplace with only the listing of this parcel. */
const listingPath = (parcelId: string): string => `${paths.marketplace}?search=${parcelId}`

/** Prices from here on do not fit a small button. */
const LONG_PRICE = cotton(10_000_000)

const shortPrice = (price: Cotton | null): string =>
  price !== null && price < LONG_PRICE ? formatCotton(price) : formatShort(price, 2)

type LandOfferProps = {
  parcel: { parcelId: string; countryName: string }
  isMine: boolean
  small?: boolean
  onSell: () => void
}

/**
 * The price of a listed parcel, or the button to sell one of the player's own. Nothing while the market of its continent
 * is closed.
 */
export function LandOffer({ parcel, isMine, small = false, onSell }: LandOfferProps) {
  const open = useOpenContinents()?.includes(continentOf(parcel.parcelId)) ?? false
  const { data: listings } = useListings({ enabled: open })
  const link = useRef<HTMLAnchorElement>(null)
  const buttonHadFocus = useRef(false)
  const listing = listings?.find(({ parcelId }) => parcelId === parcel.parcelId)

  // The link replaces the button once the parcel is listed, and takes over its focus.
  useEffect(() => {
    if (!buttonHadFocus.current) return
    buttonHadFocus.current = false
    link.current?.focus({ preventScroll: true })
  })

  if (!open || !listings) return null
  if (listing) {
    return (
      <Link
        ref={link}
        className={buttonClass({ size: small ? 'sm' : undefined, block: small })}
        to={listingPath(parcel.parcelId)}
      >
        {small ? (
          <>
            <img src={tag} width="26" height="26" alt="" />
            <span className="vh">{marketMessages.listedForShort} </span>
            {shortPrice(listing.displayPrice)}
          </>
        ) : (
          marketMessages.listedFor(listing.displayPrice)
        )}
        <span className="vh"> {parcel.countryName}</span>
      </Link>
    )
  }
  if (!isMine) return null
  return (
    <SellButton
      name={parcel.countryName}
      small={small}
      onSell={onSell}
      onGone={() => {
        buttonHadFocus.current = true
      }}
    />
  )
}

type SellButtonProps = { name: string; small: boolean; onSell: () => void; onGone: () => void }

function SellButton({ name, small, onSell, onGone }: SellButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const mine = button.current
    return () => {
      if (mine === document.activeElement) onGone()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- only its going counts
  }, [])
  return (
    <Button
      movesValue
      ref={button}
      tone="sun"
      size={small ? 'sm' : undefined}
      block={small}
      icon={<img src={tag} width="26" height="26" alt="" />}
      onClick={onSell}
    >
      {small ? marketMessages.sellShort : marketMessages.sell}
      <span className="vh"> {name}</span>
    </Button>
  )
}
