import { type ReactNode, useEffect, useRef } from 'react'
import { shown } from '#game/cotton.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import coin from '#web/art/coin.svg'
import { LandOffer } from '#web/land/land-offer.tsx'
import { PlainWords } from '#web/popups/plain-words.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { shortAddress } from '#web/ui/short-address.ts'
import { landWords } from '#web/messages/en-land.ts'
import { words } from '#web/messages/en.ts'
import { Confetti } from './confetti.tsx'
import styles from './details.module.css'
import { LandPicture } from '#web/land/land-picture.tsx'
import type { LandState } from '#web/land/land-state.ts'
import { PriceHistory } from './price-history.tsx'
import { StateBadge } from '#web/land/state-badge.tsx'
import { useBuyParcel } from './use-buy-parcel.ts'

type LandDetailsProps = {
  parcel: LandParcel
  state: LandState
  price: number
  shape: string | null | undefined
  isSample: boolean
  onSell: () => void
  onClose: () => void
}

/** Everything about a parcel, and its button to buy while nobody owns it (S-36). */
export function LandDetails(props: LandDetailsProps) {
  const { parcel, state, price, shape, isSample, onSell, onClose } = props
  const { buy, buying, resting, bought } = useBuyParcel()
  const close = useRef<HTMLButtonElement>(null)
  const { parcelId, countryName, owned } = parcel

  // The button that was pressed goes when the parcel is sold; focus goes on with the one that stays.
  useEffect(() => {
    if (owned && (document.activeElement === document.body || !document.activeElement?.isConnected))
      close.current?.focus({ preventScroll: true })
  }, [owned])

  return (
    <Dialog
      wide
      title={landWords.details}
      ribbon={{ text: landWords.details }}
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
              {buying ? landWords.buying : landWords.buy}
            </Button>
          )}
          <Button ref={close} data-autofocus={owned || isSample ? true : undefined} onClick={onClose}>
            {words.close}
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
          {owned || isSample ? null : <PlainWords text={landWords.plain} onFollow={onClose} />}
          {isSample ? <p className={styles.sample}>{landWords.sample}</p> : null}
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
      <Row name={landWords.code}>{parcelId}</Row>
      <Row name={landWords.region}>{regionName}</Row>
      <Row name={landWords.country}>{countryName}</Row>
      <Row name={landWords.tierName}>{tier}</Row>
      <Row name={landWords.area}>{landWords.km2(area)}</Row>
      <Row name={landWords.status}>
        <StateBadge state={state} />
      </Row>
      {owned && ownerWallet ? <Row name={landWords.owner}>{shortAddress(ownerWallet)}</Row> : null}
      {owned ? null : (
        <Row name={landWords.price}>
          <span className={styles.price}>
            <img src={coin} width="28" height="28" alt="" />
            <output className="num">{shown(price)}</output>
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
