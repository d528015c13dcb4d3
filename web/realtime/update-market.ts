import type { QueryClient } from '@tanstack/react-query'
import type { ServerMessage } from '#contract/realtime.ts'
import { refetchChanged } from '#web/api/refetch-changed.ts'
import { applyMarketState, MARKET_KEY, MY_LISTINGS_KEY } from '#web/api/use-market-open.ts'
import { OWNED_LAND_KEY } from '#web/api/use-owned-land.ts'

type Update = Extract<ServerMessage, { type: 'listingUpdate' }>['data']

/** After a change of the market, visible queries are read again now, and others when they are used again. */
export function updateMarket(client: QueryClient, state: Update): void {
  applyMarketState(state)
  for (const queryKey of [MARKET_KEY, MY_LISTINGS_KEY, OWNED_LAND_KEY]) refetchChanged(client, { queryKey })
}
