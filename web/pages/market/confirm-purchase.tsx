import { shown } from '#game/cotton.ts'
import { useBalance } from '#web/api/use-balance.ts'
import type { Listing } from '#web/land/use-listings.ts'
import warning from '#web/art/icons/warning.webp'
import { PlainWords } from '#web/popups/plain-words.tsx'
import { Button } from '#web/ui/button.tsx'
import { Coins } from '#web/ui/coins.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Note } from '#web/ui/note.tsx'
import { landWords } from '#web/messages/en-land.ts'
import { marketWords } from '#web/messages/en-market.ts'
import { ListingPicture } from './listing-picture.tsx'
import styles from '#web/land/market.module.css'
import { usePurchase } from './use-purchase.ts'

type ConfirmPurchaseProps = {
  listing: Listing
  shape: string | null | undefined
  /** Somebody else bought it, or its seller took it back. */
  gone: boolean
  onClose: () => void
}

/** Asks once more, with the price beside the balance (S-41). */
export function ConfirmPurchase({ listing, shape, gone, onClose }: ConfirmPurchaseProps) {
  const { purchase, purchasing, resting } = usePurchase(onClose)
  const balance = useBalance()
  const { countryName, regionName, displayPrice } = listing
  const tooLittle = balance !== undefined && balance < displayPrice
  const problem = gone && !purchasing ? marketWords.gone : tooLittle ? marketWords.tooLittle : null
  const possible = balance !== undefined && problem === null

  return (
    <Dialog
      title={
        <>
          <span className="vh">{marketWords.confirmTitle}: </span>
          {countryName}
        </>
      }
      ribbon={{ text: marketWords.confirmTitle }}
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
            {purchasing ? marketWords.confirming : marketWords.confirm}
          </Button>
          <Button disabled={purchasing} data-autofocus={possible ? undefined : true} onClick={onClose}>
            {marketWords.cancel}
          </Button>
        </>
      }
    >
      <Facts>
        <Fact name={marketWords.price}>
          <Coins>{shown(displayPrice)}</Coins>
        </Fact>
        <Fact name={marketWords.balance}>
          <Coins>{balance === undefined ? '–' : shown(balance)}</Coins>
        </Fact>
        {possible ? (
          <Fact name={marketWords.after}>
            <Coins>{shown(balance - displayPrice)}</Coins>
          </Fact>
        ) : null}
      </Facts>
      <PlainWords text={landWords.plain} onFollow={onClose} />
      {problem ? (
        <Note tone="bad" picture={warning} role="alert" className={styles.problem}>
          {problem}
        </Note>
      ) : null}
    </Dialog>
  )
}
