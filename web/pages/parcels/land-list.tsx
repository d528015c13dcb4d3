import { useState } from 'react'
import { Link } from 'react-router'
import type { ContinentCode } from '#game/continents.ts'
import type { Cotton } from '#game/cotton.ts'
import { useSession } from '#web/api/session.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import { beds } from '#web/art/beds.ts'
import { paths } from '#web/paths.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { Loading, Skeleton } from '#web/ui/loading.tsx'
import { landMessages } from '#web/messages/en-land.ts'
import type { LandState } from '#web/land/land-state.ts'
import { arrangeLand, isShown, SHOWN } from './arrange-land.ts'
import { LandCard } from './land-card.tsx'
import { type Choices, LandChoices } from './land-choices.tsx'
import styles from './parcels.module.css'

type LandListProps = {
  code: ContinentCode
  parcels: readonly LandParcel[] | undefined
  stateOf: (parcel: LandParcel) => LandState
  /** Null for land that is not for sale. */
  priceOf: (parcel: LandParcel) => Cotton | null
  shapeOf: (parcel: LandParcel) => string | null | undefined
  /** Whether players can sell land here. */
  open: boolean
  onChoose: (parcel: LandParcel) => void
}

const ALL: Choices = { shown: 'all', order: 'name', text: '' }

/** All land of the continent as cards: the accessible equivalent of the map. */
export function LandList(props: LandListProps) {
  const { code, parcels, stateOf, priceOf, shapeOf, open, onChoose } = props
  const { loggedIn } = useSession()
  const [choices, setChoices] = useState(ALL)
  if (!parcels) return <LoadingLand />
  if (parcels.length === 0) return <NoLand />
  const facts = { stateOf, priceOf }
  const applies = { all: true, free: true, yours: loggedIn, sale: open }
  const counts = new Map(
    SHOWN.filter((each) => applies[each]).map((each) => [
      each,
      parcels.filter((parcel) => isShown(parcel, each, facts)).length,
    ]),
  )
  // After a logout there is no choice of the player's own land.
  const shown = applies[choices.shown] ? choices.shown : 'all'
  const found = arrangeLand(parcels, { ...choices, shown }, facts)
  return (
    <>
      <div className={styles.rowHead}>
        <h2 className={styles.skyTitle} id="parcels">
          {landMessages.countries(code)}
        </h2>
        <LandChoices code={code} choices={{ ...choices, shown }} counts={counts} onChange={setChoices} />
      </div>
      <output className="vh">
        {shown !== 'all' || choices.text.trim() ? landMessages.found(found.length, code) : null}
      </output>
      <section aria-labelledby="parcels">
        {found.length > 0 ? (
          <ul className={styles.lots}>
            {found.map((parcel) => (
              <li className={styles.cell} key={parcel.parcelId}>
                <LandCard
                  parcel={parcel}
                  state={stateOf(parcel)}
                  price={priceOf(parcel)}
                  shape={shapeOf(parcel)}
                  onChoose={onChoose}
                />
              </li>
            ))}
          </ul>
        ) : (
          <Frame>
            <p className={styles.notFound}>
              {choices.text.trim() ? landMessages.notFound(code) : landMessages.noneShown[shown]}
            </p>
          </Frame>
        )}
      </section>
    </>
  )
}

function NoLand() {
  return (
    <Frame className={styles.after}>
      <Empty
        picture={<img src={beds[1]} width="220" height="120" alt="" />}
        title={landMessages.none}
        text={landMessages.noneText}
      >
        <Link className={buttonClass({ tone: 'sun' })} to={paths.world}>
          {landMessages.worldMap}
        </Link>
      </Empty>
    </Frame>
  )
}

const CARDS = ['one', 'two', 'three', 'four', 'five']

function LoadingLand() {
  return (
    <Frame className={styles.after}>
      <Loading text={landMessages.loading} />
      <ul className={styles.loadingLots} aria-hidden="true">
        {CARDS.map((card) => (
          <li key={card}>
            <Frame small className={styles.loadingLot}>
              <Skeleton height="112px" margin="0 0 12px" />
              <Skeleton height="20px" width="70%" margin="0 0 8px" />
              <Skeleton height="26px" width="55%" />
            </Frame>
          </li>
        ))}
      </ul>
    </Frame>
  )
}
