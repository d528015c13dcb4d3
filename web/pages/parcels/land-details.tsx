import { type ReactNode, useEffect, useRef } from 'react'
import { type Cotton, formatCotton } from '#game/cotton.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import coin from '#web/art/coin.svg'
import { LandOffer } from '#web/land/land-offer.tsx'
import { PurchaseNotice } from '#web/popups/purchase-notice.tsx'
import { Button } from '#web/ui/button.tsx'
import { Confetti } from '#web/ui/confetti.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { shortAddress } from '#web/ui/short-address.ts'
import { landMessages } from '#web/messages/en-land.ts'
import { messages } from '#web/messages/en.ts'
import styles from './details.module.css'
import { LandPicture } from '#web/land/land-picture.tsx'
import type { LandState } from '#web/land/land-state.ts'
import { PriceHistory } from './price-history.tsx'
import { StateBadge } from '#web/land/state-badge.tsx'
import { useBuyParcel } from './use-buy-parcel.ts'

type LandDetailsProps = {
  parcel: LandParcel
  state: LandState
  price: Cotton
  shape: string | null | undefined
  isSample: boolean
  onSell: () => void
  onClose: () => void
}

/** The details of a parcel, with the purchase button while it is available (S-36). */
export function LandDetails(props: LandDetailsProps) {
  const { parcel, state, price, shape, isSample, onSell, onClose } = props
  const { buy, buying, resting, bought } = useBuyParcel()
  const close = useRef<HTMLButtonElement>(null)
  const { parcelId, countryName, owned } = parcel

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
      onClose={onClose}
      actions={
        <>
          {owned ? (
            <LandOffer parcel={parcel} isMine={state === 'mine'} onSell={onSell} />
          ) : (
            <Button
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
          <Button ref={close} data-autofocus={owned || isSample ? true : undefined} onClick={onClose}>
            {messages.close}
          </Button>
        </>
      }
    >
      <div className={styles.details}>
        <div className={styles.picture}>
          <LandPicture large parcel={parcel} state={state} shape={shape} />
          {bought && state === 'mine' ? <Confetti /> : null}
        </div>
        <div>
          <h3 className={styles.name}>{countryName}</h3>
          <LandFacts parcel={parcel} state={state} price={price} />
          {owned && !isSample ? <PriceHistory parcelId={parcelId} name={countryName} /> : null}
          {owned || isSample ? null : (
            <PurchaseNotice text={landMessages.purchaseNotice} onFollow={onClose} />
          )}
          {isSample ? <p className={styles.sample}>{landMessages.sample}</p> : null}
        </div>
      </div>
    </Dialog>
  )
}

type LandFactsProps = Pick<LandDetailsProps, 'parcel' | 'state' | 'price'>

function LandFacts({ parcel, state, price }: LandFactsProps) {
  const { parcelId, regionName, countryName, area, tier, owned, ownerWallet } = parcel
  return (
    <dl className={styles.facts}>
      <Row name={landMessages.code}>{parcelId}</Row>
      <Row name={landMessages.region}>{regionName}</Row>
      <Row name={landMessages.country}>{countryName}</Row>
      <Row name={landMessages.tierName}>{tier}</Row>
      <Row name={landMessages.area}>{landMessages.km2(area)}</Row>
      <Row name={landMessages.status}>
        <StateBadge state={state} />
      </Row>
      {owned && ownerWallet ? <Row name={landMessages.owner}>{shortAddress(ownerWallet)}</Row> : null}
      {owned ? null : (
        <Row name={landMessages.price}>
          <span className={styles.price}>
            <img src={coin} width="28" height="28" alt="" />
            <output className="num">{formatCotton(price)}</output>
          </span>
        </Row>
      )}
    </dl>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
