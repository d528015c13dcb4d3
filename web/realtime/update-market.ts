import type { QueryClient } from '@tanstack/react-query'
import type { ServerMessage } from '#contract/realtime.ts'
import { refetchChanged } from '#web/api/refetch-changed.ts'
import { applyMarketState, MARKET_KEY, MY_LISTINGS_KEY } from '#web/api/use-market-open.ts'
import { OWNED_LAND_KEY } from '#web/api/use-owned-land.ts'

type Update = Extract<ServerMessage, { type: 'listingUpdate' }>['data']

/** A player can list and cancel many times in a second. All pages that show the market would read it as often. */
const PAUSE_MS = 1_000

/** After a change of the market, visible queries are read again now, and others when they are used again. */
export function updateMarket(client: QueryClient, state: Update): void {
  applyMarketState(state)
  for (const queryKey of [MARKET_KEY, MY_LISTINGS_KEY, OWNED_LAND_KEY])
    refetchChanged(client, { queryKey }, { pauseMs: PAUSE_MS })
}
