import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'
import { SOLD_PAGE } from '#contract/market.ts'
import { useSession } from '#web/api/session.ts'
import type { Listing } from '#web/land/use-listings.ts'
import gate from '#web/art/gate.svg'
import tag from '#web/art/icons/tag.webp'
import { useShapes } from '#web/land/use-continent-map.ts'
import { paths } from '#web/paths.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Note } from '#web/ui/note.tsx'
import { marketMessages } from '#web/messages/en-market.ts'
import styles from '#web/land/market.module.css'
import { MyListingCard } from './my-listing-card.tsx'
import { UnreadListings } from './unread-listings.tsx'

type MyListingsProps = {
  query: UseQueryResult<readonly Listing[]>
  open: boolean
  onList: () => void
}

/** The player's active and sold listings, and the button to list more (S-42, S-43). */
export function MyListings({ query, open, onList }: MyListingsProps) {
  const { loggedIn } = useSession()
  const { data: listings } = query
  if (!loggedIn) {
    return (
      <Empty picture={<img src={gate} width="320" height="190" alt="" />} title={marketMessages.logInFirst}>
        <Link className={buttonClass({ tone: 'plum' })} to={paths.profile}>
          {marketMessages.toProfile}
        </Link>
      </Empty>
    )
  }
  if (!listings) return <UnreadListings query={query} />

  const listButton = open ? (
    <Button movesValue tone="sun" onClick={onList} icon={<img src={tag} width="26" height="26" alt="" />}>
      {marketMessages.listLand}
    </Button>
  ) : null
  if (listings.length === 0) {
    return (
      <Empty
        picture={<img src={tag} width="128" height="128" alt="" />}
        title={marketMessages.noneActive}
        text={marketMessages.noneActiveText}
      >
        {listButton}
      </Empty>
    )
  }
  const active = listings.filter(({ status }) => status === 'active').length
  const sold = listings.filter(({ status }) => status === 'sold').length
  return (
    <>
      <div className={styles.line}>
        {active > 0 ? (
          <p className={styles.found}>{marketMessages.countMine(active, sold, sold >= SOLD_PAGE)}</p>
        ) : (
          <Note picture={tag}>{marketMessages.noneActive}</Note>
        )}
        {listButton}
      </div>
      <MyListingGrid listings={listings} />
    </>
  )
}

function MyListingGrid({ listings }: { listings: readonly Listing[] }) {
  const shapes = useShapes(listings.map(({ parcelId }) => parcelId))
  return (
    <ul className={styles.grid} aria-label={marketMessages.mine}>
      {listings.map((listing) => (
        <li key={listing.id}>
          <MyListingCard listing={listing} shape={shapes.get(listing.parcelId)?.shape} />
        </li>
      ))}
    </ul>
  )
}
