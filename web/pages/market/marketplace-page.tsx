import { useCallback, useState } from 'react'
import { CONTINENT_NAMES, CONTINENTS } from '#game/continents.ts'
import { useSession } from '#web/api/session.ts'
import { useListings, useMyListings } from '#web/land/use-listings.ts'
import { useMarketOpen, useOpenContinents } from '#web/api/use-market-open.ts'
import { OwnedPattern } from '#web/land/land-picture.tsx'
import { MarketPopup } from '#web/popups/market-popup.tsx'
import { usePolling } from '#web/realtime/use-polling.ts'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { useQueryParameters, withParameter } from '#web/ui/use-query-parameters.ts'
import { marketMessages } from '#web/messages/en-market.ts'
import { AllListings } from './all-listings.tsx'
import { LISTINGS_ID } from './listing-card.tsx'
import { ListParcelDialog } from '#web/land/list-parcel-dialog.tsx'
import { useIsGreeting } from '#web/popups/login-store.ts'
import styles from '#web/land/market.module.css'
import { MarketTabs, TAB_IDS, type TabName } from './market-tabs.tsx'
import { MyListings } from './my-listings.tsx'

export default function MarketplacePage() {
  const [address, changeAddress] = useQueryParameters()
  const tab: TabName = address.get('tab') === 'mine' ? 'mine' : 'all'
  const open = useMarketOpen()
  const all = useListings()
  const mine = useMyListings()
  useMarketPolling(all, mine)
  const [listing, setListing] = useState(false)
  // Shown once for each visit. It closes when the market opens.
  const [popupSeen, setPopupSeen] = useState(false)
  const greeting = useIsGreeting()

  const choose = (next: TabName): void =>
    changeAddress((newest) => withParameter(newest, 'tab', next === 'all' ? '' : next))

  return (
    <>
      <OwnedPattern />
      <PageHeader title={marketMessages.page} sub={useSubtitle()} />
      <MarketTabs
        current={tab}
        active={mine.data?.filter(({ status }) => status === 'active').length}
        onChoose={choose}
      />
      <Frame role="tabpanel" aria-labelledby={TAB_IDS[tab]} id={`${TAB_IDS[tab]}-panel`}>
        <div id={LISTINGS_ID} tabIndex={-1} className={styles.panel}>
          {tab === 'all' ? (
            <AllListings query={all} closed={open === false} />
          ) : (
            <MyListings query={mine} open={open === true} onList={() => setListing(true)} />
          )}
        </div>
      </Frame>
      {listing ? <ListParcelDialog onClose={() => setListing(false)} /> : null}
      {open === false && !popupSeen && !greeting ? <MarketPopup onClose={() => setPopupSeen(true)} /> : null}
    </>
  )
}

/** The continents where the market is open. Hidden once it is open on all of them. */
function useSubtitle(): string {
  const open = useOpenContinents() ?? []
  if (open.length === 0 || open.length === CONTINENTS.length) return marketMessages.sub
  return marketMessages.openSoFar(
    CONTINENTS.filter((code) => open.includes(code)).map((code) => CONTINENT_NAMES[code]),
  )
}

type Query = ReturnType<typeof useListings>

/** Polls both tabs at one interval while the WebSocket is down. */
function useMarketPolling(all: Query, mine: Query): void {
  const { loggedIn } = useSession()
  const { refetch: refetchAll } = all
  const { refetch: refetchMine } = mine
  const refetch = useCallback(
    (options: { cancelRefetch: boolean }) =>
      Promise.all([refetchAll(options), loggedIn ? refetchMine(options) : null]),
    [refetchAll, refetchMine, loggedIn],
  )
  usePolling(refetch, all.isError || mine.isError, { whileOpen: false })
}
