import { useState } from 'react'
import { Link } from 'react-router'
import { type LandParcel, useOwnedLand } from '#web/api/use-owned-land.ts'
import flag from '#web/art/icons/flag.webp'
import warning from '#web/art/icons/warning.webp'
import { LandOffer } from '#web/land/land-offer.tsx'
import { ListParcelDialog } from '#web/land/list-parcel-dialog.tsx'
import { LandPicture } from '#web/land/land-picture.tsx'
import { sortByName } from '#web/land/land-state.ts'
import lot from '#web/land/lot.module.css'
import { StateBadge } from '#web/land/state-badge.tsx'
import { useShapes } from '#web/land/use-continent-map.ts'
import { continentPath, paths } from '#web/paths.ts'
import { useScrollToHash } from '#web/shell/use-scroll-to-hash.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { frameClass, Panel } from '#web/ui/frame.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { Note } from '#web/ui/note.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { landMessages } from '#web/messages/en-land.ts'
import styles from './owned-land.module.css'

const ID = 'owned-land'

/** The player's land on all continents, each with a link to its continent. */
export function OwnedLand() {
  const { data: land, isError, refetch } = useOwnedLand()
  // The world map links here.
  useScrollToHash(ID, land !== undefined)

  return (
    <Panel title={landMessages.owned} id={ID} className={styles.panel}>
      {land ? (
        <Flags land={sortByName(land)} />
      ) : isError ? (
        <div className={styles.failed}>
          <Note tone="bad" picture={warning} role="alert">
            {landMessages.ownedFailed}
          </Note>
          <RetryButton block onClick={() => void refetch()} />
        </div>
      ) : (
        <Loading text={landMessages.loading} />
      )}
    </Panel>
  )
}

function Flags({ land }: { land: readonly LandParcel[] }) {
  const shapes = useShapes(land.map((parcel) => parcel.parcelId))
  const [selling, setSelling] = useState<LandParcel | null>(null)
  if (land.length === 0) {
    return (
      <Empty
        picture={<img src={flag} width="128" height="128" alt="" />}
        title={landMessages.ownedNone}
        text={landMessages.ownedNoneText}
      >
        <Link className={buttonClass({ tone: 'leaf' })} to={paths.world}>
          {landMessages.openMap}
        </Link>
      </Empty>
    )
  }
  return (
    <>
      <ul className={styles.lots}>
        {land.map((parcel) => (
          <li className={styles.lot} key={parcel.parcelId}>
            <Link className={frameClass({ small: true }, lot.lot)} to={continentPath(parcel.regionId)}>
              <LandPicture parcel={parcel} state="mine" shape={shapes.get(parcel.parcelId)?.shape} />
              <span className={lot.body}>
                <span className={lot.name}>{parcel.countryName}</span>
                <StateBadge state="mine" />
              </span>
            </Link>
            <LandOffer small isMine parcel={parcel} onSell={() => setSelling(parcel)} />
          </li>
        ))}
      </ul>
      {selling ? <ListParcelDialog parcel={selling} onClose={() => setSelling(null)} /> : null}
    </>
  )
}
