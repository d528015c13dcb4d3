import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { baseUnits, formatCotton } from '#game/cotton.ts'
import { useSession } from '#web/api/session.ts'
import { useKnownBalance } from '#web/api/use-balance.ts'
import { useOwnedLand } from '#web/api/use-owned-land.ts'
import type { Listing } from '#web/land/use-listings.ts'
import warning from '#web/art/icons/warning.webp'
import { PurchaseNotice } from '#web/popups/purchase-notice.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Coins } from '#web/ui/coins.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogResult } from '#web/ui/dialog-result.tsx'
import type { Outcome } from '#web/ui/outcome.ts'
import { useFrozen } from '#web/ui/use-frozen.ts'
import { Confetti } from '#web/ui/confetti.tsx'
import { landState } from '#web/land/land-state.ts'
import { useContinentPrice } from '#web/land/use-continent-price.ts'
import { landPath, paths } from '#web/paths.ts'
import { messages } from '#web/messages/en.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Note } from '#web/ui/note.tsx'
import { landMessages } from '#web/messages/en-land.ts'
import { marketMessages } from '#web/messages/en-market.ts'
import { LISTINGS_ID } from './listing-card.tsx'
import { ListingPicture } from './listing-picture.tsx'
import styles from '#web/land/market.module.css'
import { usePurchase } from './use-purchase.ts'

type ConfirmPurchaseProps = {
  listing: Listing
  shape: string | null | undefined
  /** The listing was sold to another player or cancelled. */
  gone: boolean
  onClose: () => void
}

const BOUGHT: Outcome = { kind: 'success', title: marketMessages.boughtTitle, text: marketMessages.bought }

const FACTS_ID = 'purchase-facts'

/** The confirmation of a purchase, with price and balance (S-41). It ends on the land that is now the player's. */
export function ConfirmPurchase({ listing, shape, gone, onClose }: ConfirmPurchaseProps) {
  const { purchase, purchasing, resting, bought, inDoubt, submittedAt, result } = usePurchase(listing.id)
  const current = useKnownBalance()
  // From the first press to the end, the sums are those that the player agreed to.
  const balance = useFrozen(current, purchasing || inDoubt || bought)
  const { parcelId, countryName, regionName, displayPrice } = listing
  // Without an answer, the player's land shows whether the purchase took effect, once it is read again: the player may
  // have sold this parcel a short time ago.
  const { walletAddress } = useSession()
  const { data: land, dataUpdatedAt } = useOwnedLand({ enabled: inDoubt })
  const parcel = dataUpdatedAt > submittedAt ? land?.find((each) => each.parcelId === parcelId) : undefined
  const isMine = inDoubt && parcel !== undefined && landState(parcel, walletAddress) === 'mine'
  const tooLittle = balance !== undefined && displayPrice !== null && balance < displayPrice
  // It may be gone because this player has bought it.
  const isUnavailable = gone && !purchasing && !inDoubt
  const problem = isUnavailable
    ? marketMessages.unavailable
    : tooLittle
      ? marketMessages.notEnoughBalance
      : null
  const possible = balance !== undefined && problem === null
  if (bought || isMine)
    return <Bought listing={listing} shape={shape} result={isMine ? BOUGHT : result} onClose={onClose} />

  return (
    <Dialog
      title={
        <>
          <span className="vh">{marketMessages.confirmTitle}: </span>
          {countryName}
        </>
      }
      ribbon={{ text: marketMessages.confirmTitle }}
      picture={
        <div className={styles.window}>
          <ListingPicture listing={listing} state="available" shape={shape} />
        </div>
      }
      text={regionName}
      describedBy={[FACTS_ID]}
      onClose={purchasing ? () => undefined : onClose}
      actions={
        <>
          <Button
            movesValue
            tone="leaf"
            busy={purchasing}
            resting={resting}
            ariaDisabled={!possible}
            data-autofocus={possible || undefined}
            onClick={() => purchase(listing)}
          >
            {purchasing ? marketMessages.confirming : marketMessages.confirm}
          </Button>
          <Button disabled={purchasing} data-autofocus={possible ? undefined : true} onClick={onClose}>
            {marketMessages.cancel}
          </Button>
        </>
      }
    >
      <Facts id={FACTS_ID}>
        <Fact name={marketMessages.price}>
          <Coins>{formatCotton(displayPrice)}</Coins>
        </Fact>
        <ComparedPrices listing={listing} />
        <Fact name={marketMessages.balance}>
          <Coins>{balance === undefined ? '–' : formatCotton(balance)}</Coins>
        </Fact>
        {possible ? (
          <Fact name={marketMessages.balanceAfter}>
            <Coins>{formatCotton(displayPrice === null ? null : baseUnits(balance - displayPrice))}</Coins>
          </Fact>
        ) : null}
      </Facts>
      <DialogResult result={result}>
        <PurchaseNotice text={landMessages.purchaseNotice} onFollow={onClose} />
      </DialogResult>
      {problem ? (
        <Note tone="bad" picture={warning} role="alert" className={styles.problem}>
          <span>{problem}</span>{' '}
          {problem === marketMessages.notEnoughBalance ? (
            <Link to={paths.deposit}>{landMessages.toDeposit}</Link>
          ) : null}
        </Note>
      ) : null}
    </Dialog>
  )
}

function ComparedPrices({ listing: { lastPrice, continentCode, regionName } }: { listing: Listing }) {
  const free = useContinentPrice(continentCode)
  return (
    <>
      <Fact name={marketMessages.lastPaid}>
        <Coins>{formatCotton(lastPrice)}</Coins>
      </Fact>
      <Fact name={marketMessages.priceIn(regionName)}>
        <Coins>{formatCotton(free)}</Coins>
      </Fact>
    </>
  )
}

type BoughtProps = Pick<ConfirmPurchaseProps, 'listing' | 'shape' | 'onClose'> & { result: Outcome | null }

/** The land that the player has just bought. */
function Bought({ listing, shape, result, onClose }: BoughtProps) {
  const { parcelId, countryName, continentCode } = listing
  // The card that opened the dialog is gone with the listing.
  const close = (): void => {
    flushSync(onClose)
    document.getElementById(LISTINGS_ID)?.focus({ preventScroll: true })
  }
  return (
    <Dialog
      title={landMessages.nowYours(countryName)}
      picture={
        <div className={styles.window}>
          <ListingPicture listing={listing} state="mine" shape={shape} />
          <Confetti />
        </div>
      }
      onClose={close}
      actions={
        <>
          <Link
            className={buttonClass({ tone: 'leaf' })}
            to={landPath(continentCode, parcelId)}
            data-autofocus
          >
            {marketMessages.see(countryName)}
          </Link>
          <Button onClick={close}>{messages.close}</Button>
        </>
      }
    >
      <DialogResult result={result} />
    </Dialog>
  )
}
