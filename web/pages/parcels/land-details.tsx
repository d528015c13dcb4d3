import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { Cotton } from '#game/cotton.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import { LandOffer } from '#web/land/land-offer.tsx'
import { paths } from '#web/paths.ts'
import { PurchaseNotice } from '#web/popups/purchase-notice.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Confetti } from '#web/ui/confetti.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogResult } from '#web/ui/dialog-result.tsx'
import { useFrozen } from '#web/ui/use-frozen.ts'
import { landMessages } from '#web/messages/en-land.ts'
import { messages } from '#web/messages/en.ts'
import styles from './details.module.css'
import { LandPicture } from '#web/land/land-picture.tsx'
import type { LandState } from '#web/land/land-state.ts'
import { LAND_OFFER_IDS, LandFacts } from './land-facts.tsx'
import { PriceHistory } from './price-history.tsx'
import { useBuyParcel } from './use-buy-parcel.ts'

type LandDetailsProps = {
  parcel: LandParcel
  state: LandState
  price: Cotton
  /** What its owner asks for it; null if it is not for sale. */
  resalePrice: Cotton | null
  shape: string | null | undefined
  isSample: boolean
  onSell: () => void
  onClose: () => void
}

/** The details of a parcel, with the purchase button while it is available (S-36). */
export function LandDetails(props: LandDetailsProps) {
  const { shape, resalePrice, isSample, onSell, onClose } = props
  const { buy, buying, resting, bought, result, lacksCredit } = useBuyParcel(props.parcel)
  // The sale itself raises the price, and that change may arrive before the response to the purchase.
  const parcel = useFrozen(props.parcel, buying)
  const state = useFrozen(props.state, buying)
  const price = useFrozen(props.price, buying)
  const close = useRef<HTMLButtonElement>(null)
  const { parcelId, countryName, owned } = parcel
  const celebrates = bought && state === 'mine'

  // The purchase button disappears when the parcel is sold. Move its focus to the close button.
  useEffect(() => {
    if (owned && (document.activeElement === document.body || !document.activeElement?.isConnected))
      close.current?.focus({ preventScroll: true })
  }, [owned])

  return (
    <Dialog
      wide
      title={landMessages.details}
      ribbon={{ text: landMessages.details }}
      describedBy={LAND_OFFER_IDS}
      onClose={onClose}
      actions={
        <>
          {owned ? (
            <LandOffer parcel={parcel} isMine={state === 'mine'} onSell={onSell} />
          ) : (
            <Button
              movesValue
              tone="leaf"
              busy={buying}
              resting={resting}
              disabled={isSample}
              data-autofocus={isSample ? undefined : true}
              onClick={() => buy(parcel, price)}
            >
              {buying ? landMessages.buying : landMessages.buy}
            </Button>
          )}
          {lacksCredit && !owned ? (
            <Link className={buttonClass({ tone: 'sun' })} to={paths.deposit}>
              {landMessages.toDeposit}
            </Link>
          ) : null}
          <Button ref={close} data-autofocus={owned || isSample ? true : undefined} onClick={onClose}>
            {messages.close}
          </Button>
        </>
      }
    >
      <div className={styles.details}>
        <div className={styles.picture}>
          <LandPicture large parcel={parcel} state={state} shape={shape} />
          <p className={styles.yours} aria-live="polite">
            {celebrates ? landMessages.nowYours(countryName) : null}
          </p>
          {celebrates ? <Confetti /> : null}
        </div>
        <div>
          <LandFacts parcel={parcel} state={state} price={price} resalePrice={resalePrice} />
          {owned && !isSample ? <PriceHistory parcelId={parcelId} name={countryName} /> : null}
          {isSample ? <p className={styles.sample}>{landMessages.sample}</p> : null}
        </div>
      </div>
      <DialogResult result={result}>
        {owned || isSample ? null : <PurchaseNotice text={landMessages.purchaseNotice} onFollow={onClose} />}
      </DialogResult>
    </Dialog>
  )
}
