import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Cotton } from '#game/cotton.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import { beds } from '#web/art/beds.ts'
import { paths } from '#web/paths.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { Loading, Skeleton } from '#web/ui/loading.tsx'
import { landMessages } from '#web/messages/en-land.ts'
import { LandCard } from './land-card.tsx'
import { sortByName, type LandState, searchLand } from '#web/land/land-state.ts'
import styles from './parcels.module.css'

type LandListProps = {
  parcels: readonly LandParcel[] | undefined
  stateOf: (parcel: LandParcel) => LandState
  priceOf: (parcel: LandParcel) => Cotton
  shapeOf: (parcel: LandParcel) => string | null | undefined
  onChoose: (parcel: LandParcel) => void
}

/** All parcels of the continent as cards: the accessible equivalent of the map. */
export function LandList({ parcels, stateOf, priceOf, shapeOf, onChoose }: LandListProps) {
  const [text, setText] = useState('')
  const found = useMemo(() => searchLand(sortByName(parcels ?? []), text), [parcels, text])
  if (!parcels) return <LoadingLand />
  if (parcels.length === 0) return <NoLand />
  return (
    <section aria-labelledby="parcels">
      <div className={styles.rowHead}>
        <h2 className={styles.skyTitle} id="parcels">
          {landMessages.parcels}
        </h2>
        <search className={styles.search}>
          <Search aria-hidden="true" />
          <input
            type="search"
            className={styles.searchField}
            value={text}
            placeholder={landMessages.search}
            aria-label={landMessages.search}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
          />
        </search>
      </div>
      <output className="vh">{text.trim() ? landMessages.found(found.length) : null}</output>
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
          <p className={styles.notFound}>{landMessages.notFound}</p>
        </Frame>
      )}
    </section>
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
