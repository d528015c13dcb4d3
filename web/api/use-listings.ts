import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type ListingOnWire, readListings, readParcelSales, readUserListings } from '#contract/market.ts'
import type { ReplyOf } from '#contract/route.ts'
import { noteHeard, noteReadFailed } from '#web/realtime/news.ts'
import type * as z from 'zod/mini'
import { call } from './call.ts'
import { useSession } from './session.ts'
import { applyMarketState, LISTINGS_KEY, MY_LISTINGS_KEY, SALES_KEY } from './use-market-open.ts'

export type Listing = z.output<typeof ListingOnWire>
export type Sale = ReplyOf<typeof readParcelSales>['sales'][number]

/** How often a seller's own are read without a word from the market: its news may be lost on the way. */
const MINE_REFRESH_MS = 30_000

/** Every active listing, newest first; told anew whenever the market changes. */
export function useListings({ enabled = true } = {}): UseQueryResult<readonly Listing[]> {
  return useQuery({
    queryKey: LISTINGS_KEY,
    queryFn: async ({ signal }): Promise<readonly Listing[]> => {
      try {
        const state = await call(readListings, { signal })
        applyMarketState(state)
        noteHeard()
        return state.listings
      } catch (error) {
        if (!signal.aborted) noteReadFailed()
        throw error
      }
    },
    enabled,
    retry: false,
  })
}

/** The player's own listings: the active ones and the newest sold ones. */
export function useMyListings(): UseQueryResult<readonly Listing[]> {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...MY_LISTINGS_KEY, walletAddress],
    queryFn: async ({ signal }): Promise<readonly Listing[]> =>
      (await call(readUserListings, { params: { wallet: walletAddress ?? '' }, query: {}, signal })).listings,
    enabled: walletAddress !== null,
    refetchInterval: MINE_REFRESH_MS,
    retry: false,
  })
}

/** What a parcel was last sold for, oldest sale first. */
export function useSales(parcelId: string): UseQueryResult<readonly Sale[]> {
  return useQuery({
    queryKey: [...SALES_KEY, parcelId],
    queryFn: async ({ signal }): Promise<readonly Sale[]> =>
      (await call(readParcelSales, { params: { parcelId }, query: {}, signal })).sales,
  })
}
