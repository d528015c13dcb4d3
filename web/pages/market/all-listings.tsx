import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import type { Listing } from '#web/land/use-listings.ts'
import magnifier from '#web/art/icons/magnifier.webp'
import tag from '#web/art/icons/tag.webp'
import stall from '#web/art/stall.svg'
import { useShapes } from '#web/land/use-continent-map.ts'
import { paths } from '#web/paths.ts'
import { FreshnessBadge } from '#web/realtime/freshness-badge.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Note } from '#web/ui/note.tsx'
import { pressOnce } from '#web/ui/press-once.ts'
import { useQueryParameters } from '#web/ui/use-query-parameters.ts'
import { marketMessages } from '#web/messages/en-market.ts'
import { ConfirmPurchase } from './confirm-purchase.tsx'
import { FilterBar } from './filter-bar.tsx'
import { withFilters, filterListings, parseFilters } from './filters.ts'
import { ListingCard } from './listing-card.tsx'
import styles from '#web/land/market.module.css'
import { UnreadListings } from './unread-listings.tsx'
import { mayPurchase } from './use-purchase.ts'

type AllListingsProps = { query: UseQueryResult<readonly Listing[]>; closed: boolean }

/** All active listings. */
export function AllListings({ query, closed }: AllListingsProps) {
  const { data: listings } = query
  return listings ? <ListingGrid listings={listings} closed={closed} /> : <UnreadListings query={query} />
}

function ListingGrid({ listings, closed }: { listings: readonly Listing[]; closed: boolean }) {
  const [address, changeAddress] = useQueryParameters()
  const filters = parseFilters(address)
  // A long list takes longer to render than a field should wait.
  const { continent, type, sort, search } = parseFilters(useDeferredValue(address))
  const found = useMemo(
    () => filterListings(listings, { continent, type, sort, search }),
    [listings, continent, type, sort, search],
  )
  const [chosen, setChosen] = useState<Listing | null>(null)
  const purchase = useCallback(
    (listing: Listing): void => pressOnce('choose-listing', () => mayPurchase(listing) && setChosen(listing)),
    [],
  )
  const change = (changed: Partial<typeof filters>): void =>
    changeAddress((newest) => withFilters(newest, { ...parseFilters(newest), ...changed }))
  const shapes = useShapes(listings.map(({ parcelId }) => parcelId))

  return (
    <>
      <FilterBar filters={filters} onChange={change} />
      <div className={styles.line}>
        <output className={styles.found}>{marketMessages.count(found.length)}</output>
        <FreshnessBadge />
      </div>
      {closed && listings.length > 0 ? (
        <Note picture={tag} className={styles.closed}>
          {marketMessages.closed}
        </Note>
      ) : null}
      {found.length > 0 ? (
        <ul className={styles.grid} aria-label={marketMessages.all}>
          {found.map((listing) => (
            <ListingItem
              key={listing.id}
              listing={listing}
              shape={shapes.get(listing.parcelId)?.shape}
              closed={closed}
              onPurchase={purchase}
            />
          ))}
        </ul>
      ) : listings.length > 0 ? (
        <Empty
          picture={<img src={magnifier} width="128" height="128" alt="" />}
          title={marketMessages.noMatches}
        />
      ) : (
        <NoListings closed={closed} />
      )}
      {chosen ? (
        <ConfirmPurchase
          listing={chosen}
          shape={shapes.get(chosen.parcelId)?.shape}
          gone={!listings.some(({ id }) => id === chosen.id)}
          onClose={() => setChosen(null)}
        />
      ) : null}
    </>
  )
}

type ListingItemProps = {
  listing: Listing
  shape: string | null | undefined
  closed: boolean
  onPurchase: (listing: Listing) => void
}

function ListingItem({ listing, ...rest }: ListingItemProps) {
  const { walletAddress } = useSession()
  return (
    <li>
      <ListingCard listing={listing} isMine={listing.sellerWalletAddress === walletAddress} {...rest} />
    </li>
  )
}

function NoListings({ closed }: { closed: boolean }) {
  return (
    <Empty
      picture={<img src={stall} width="320" height="200" alt="" />}
      title={closed ? marketMessages.closed : marketMessages.noListings}
      text={closed ? marketMessages.closedText : marketMessages.noListingsText}
    >
      <Link className={buttonClass({ tone: closed ? 'leaf' : 'paper' })} to={paths.world}>
        {marketMessages.toWorld}
      </Link>
    </Empty>
  )
}
