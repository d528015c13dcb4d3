import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { ContinentCode } from '#game/continents.ts'
import type { Cotton } from '#game/cotton.ts'
import { useSession } from '#web/api/session.ts'
import { useLand } from '#web/land/use-land.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import info from '#web/art/icons/info.webp'
import warning from '#web/art/icons/warning.webp'
import { SampleNote } from '#web/shell/sample-note.tsx'
import { ListParcelDialog } from '#web/land/list-parcel-dialog.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { Note } from '#web/ui/note.tsx'
import { pressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { landMessages } from '#web/messages/en-land.ts'
import { FactsPanel } from './facts-panel.tsx'
import { LandDetails } from './land-details.tsx'
import { LandList } from './land-list.tsx'
import { LandMap } from './land-map.tsx'
import { landState, priceOf } from '#web/land/land-state.ts'
import { useResalePrices } from '#web/land/use-resale-prices.ts'
import map from '#web/land/map.module.css'
import styles from './parcels.module.css'
import { useContinentMap } from '#web/land/use-continent-map.ts'

const TIERS = [1, 2, 3] as const

/** Map, facts and cards of a continent, and the details of the chosen parcel. */
type ContinentLandProps = {
  code: ContinentCode
  region: string
  /** The parcel whose details are open at first. */
  opened: string | null
}

export function ContinentLand({ code, region, opened }: ContinentLandProps) {
  const land = useLand(code)
  const { walletAddress } = useSession()
  const mapQuery = useContinentMap(code)
  // Dozens of outlines, rendered in a transition, so that a slow phone stays responsive.
  const outlines = useDeferredValue(mapQuery.data)
  const listed = useDeferredValue(land.parcels)
  const market = useResalePrices(code)
  const resalePrices = market.prices
  const [openId, setOpenId] = useState(opened)
  const [selling, setSelling] = useState(false)
  const shapes = useMemo(
    () => new Map(outlines?.parcels.map(({ parcelId, shape }) => [parcelId, shape])),
    [outlines],
  )
  const choose = useCallback((parcel: LandParcel): void => {
    setOpenId(parcel.parcelId)
    if (!parcel.owned) return
    pressOnce(`open-${parcel.parcelId}`, () =>
      showToast({ kind: 'info', title: landMessages.alreadyOwnedTitle, text: landMessages.alreadyOwned }),
    )
  }, [])

  const { parcels = [] } = land
  const open = parcels.find((parcel) => parcel.parcelId === openId)
  const stateOf = (parcel: LandParcel) => landState(parcel, walletAddress)
  const price = (parcel: LandParcel) => priceOf(parcel, land.price)
  const askedFor = (parcel: LandParcel): Cotton | null =>
    parcel.owned ? (resalePrices.get(parcel.parcelId) ?? null) : price(parcel)
  // Without the map every card shows its flag.
  const shapeOf = (parcel: LandParcel) => (mapQuery.isError ? null : shapes.get(parcel.parcelId))

  return (
    <>
      {land.isSample ? (
        <SampleNote title={landMessages.sample} text={landMessages.sampleText} retry={land.retry} />
      ) : null}
      <div className={styles.top}>
        <Frame
          className={styles.mapFrame}
          aria-label={landMessages.mapOf(region)}
          aria-describedby="map-hint"
        >
          {outlines ? (
            <LandMap
              map={outlines}
              parcels={listed ?? []}
              stateOf={stateOf}
              priceOf={askedFor}
              chosen={openId}
              onChoose={choose}
            />
          ) : (
            <div className={map.scroll}>
              <div className={map.map}>
                {mapQuery.isError ? (
                  <Note tone="bad" picture={warning} className={styles.mapFailed}>
                    {landMessages.mapFailed}
                  </Note>
                ) : null}
              </div>
            </div>
          )}
          {land.isSample ? (
            <span className={styles.watermark} aria-hidden="true">
              {landMessages.sample}
            </span>
          ) : null}
          <Legend code={code} />
        </Frame>
        <FactsPanel land={land} region={region} stateOf={stateOf} />
      </div>
      <LandList
        code={code}
        parcels={listed}
        stateOf={stateOf}
        priceOf={askedFor}
        shapeOf={shapeOf}
        open={market.open}
        onChoose={choose}
      />
      {open ? (
        <LandDetails
          key={open.parcelId}
          parcel={open}
          state={stateOf(open)}
          price={price(open)}
          resalePrice={open.owned ? askedFor(open) : null}
          shape={shapeOf(open)}
          isSample={land.isSample}
          onSell={() => setSelling(true)}
          onClose={() => setOpenId(null)}
        />
      ) : null}
      {open && selling ? <ListParcelDialog parcel={open} onClose={() => setSelling(false)} /> : null}
    </>
  )
}

function Legend({ code }: { code: ContinentCode }) {
  const { owned, mine } = landMessages.states
  return (
    <div className={styles.under}>
      <ul className={styles.legend} aria-label={landMessages.legend}>
        {TIERS.map((tier) => (
          <li key={tier}>
            <i className={styles[`keyTier${tier}`]} />
            {landMessages.freeTier(tier)}
          </li>
        ))}
        <li>
          <i className={styles.keyOwned} />
          {owned}
        </li>
        <li>
          <i className={styles.keyMine} />
          {mine}
        </li>
      </ul>
      <p className={styles.tierRule}>{landMessages.tierRule}</p>
      <p className="vh" id="map-hint">
        {landMessages.mapHint(code)}
      </p>
      <p className={styles.neutral}>
        <img src={info} width="20" height="20" alt="" />
        {landMessages.neutral}
      </p>
    </div>
  )
}
