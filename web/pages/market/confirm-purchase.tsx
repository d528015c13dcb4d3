import { baseUnits, formatCotton } from '#game/cotton.ts'
import { useBalance } from '#web/api/use-balance.ts'
import type { Listing } from '#web/land/use-listings.ts'
import warning from '#web/art/icons/warning.webp'
import { PurchaseNotice } from '#web/popups/purchase-notice.tsx'
import { Button } from '#web/ui/button.tsx'
import { Coins } from '#web/ui/coins.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Note } from '#web/ui/note.tsx'
import { landMessages } from '#web/messages/en-land.ts'
import { marketMessages } from '#web/messages/en-market.ts'
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

/** The confirmation of a purchase, with price and balance (S-41). */
export function ConfirmPurchase({ listing, shape, gone, onClose }: ConfirmPurchaseProps) {
  const { purchase, purchasing, resting } = usePurchase(onClose)
  const balance = useBalance()
  const { countryName, regionName, displayPrice } = listing
  const tooLittle = balance !== undefined && displayPrice !== null && balance < displayPrice
  const problem =
    gone && !purchasing ? marketMessages.unavailable : tooLittle ? marketMessages.notEnoughBalance : null
  const possible = balance !== undefined && problem === null

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
      onClose={purchasing ? () => undefined : onClose}
      actions={
        <>
          <Button
            tone="leaf"
            busy={purchasing}
            resting={resting}
            disabled={!possible}
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
      <Facts>
        <Fact name={marketMessages.price}>
          <Coins>{formatCotton(displayPrice)}</Coins>
        </Fact>
        <Fact name={marketMessages.balance}>
          <Coins>{balance === undefined ? '–' : formatCotton(balance)}</Coins>
        </Fact>
        {possible ? (
          <Fact name={marketMessages.balanceAfter}>
            <Coins>{formatCotton(displayPrice === null ? null : baseUnits(balance - displayPrice))}</Coins>
          </Fact>
        ) : null}
      </Facts>
      <PurchaseNotice text={landMessages.purchaseNotice} onFollow={onClose} />
      {problem ? (
        <Note tone="bad" picture={warning} role="alert" className={styles.problem}>
          {problem}
        </Note>
      ) : null}
    </Dialog>
  )
}
