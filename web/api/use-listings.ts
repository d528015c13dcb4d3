import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { type ListingOnWire, readListings, readParcelSales, readUserListings } from '#contract/market.ts'
import type { ReplyOf } from '#contract/route.ts'
import { noteHeard, noteReadFailed } from '#web/realtime/news.ts'
import type * as z from 'zod/mini'
import { call } from './call.ts'
import { useSession } from './session.ts'
import { LISTINGS_KEY, marketOpenNews, MY_LISTINGS_KEY, SALES_KEY } from './use-market-open.ts'

export type Listing = z.output<typeof ListingOnWire>
export type Sale = ReplyOf<typeof readParcelSales>['sales'][number]

/** Every active listing, newest first; told anew whenever the market changes. */
export function useListings({ enabled = true } = {}): UseQueryResult<readonly Listing[]> {
  return useQuery({
    queryKey: LISTINGS_KEY,
    queryFn: async ({ signal }): Promise<readonly Listing[]> => {
      try {
        const { open, listings } = await call(readListings, { signal })
        marketOpenNews.set(open)
        noteHeard()
        return listings
      } catch (error) {
        if (!signal.aborted) noteReadFailed()
        throw error
      }
    },
    enabled,
    retry: false,
  })
}

/** The player's own listings, active and sold. `onSold` hears of each that was sold since the last answer. */
export function useMyListings(onSold?: (listing: Listing) => void): UseQueryResult<readonly Listing[]> {
  const client = useQueryClient()
  const { walletAddress } = useSession()
  const queryKey = [...MY_LISTINGS_KEY, walletAddress]
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<readonly Listing[]> => {
      const { listings } = await call(readUserListings, { params: { wallet: walletAddress ?? '' }, signal })
      const before = client.getQueryData<readonly Listing[]>(queryKey) ?? []
      const active = new Set(before.filter(({ status }) => status === 'active').map(({ id }) => id))
      const sold = listings.filter(({ id, status }) => status === 'sold' && active.has(id))
      if (sold.length > 0) void client.invalidateQueries({ queryKey: ['user', walletAddress] })
      for (const listing of sold) onSold?.(listing)
      return listings
    },
    enabled: walletAddress !== null,
    retry: false,
  })
}

/** What a parcel was sold for so far, oldest first. */
export function useSales(parcelId: string): UseQueryResult<readonly Sale[]> {
  return useQuery({
    queryKey: [...SALES_KEY, parcelId],
    queryFn: async ({ signal }): Promise<readonly Sale[]> =>
      (await call(readParcelSales, { params: { parcelId }, signal })).sales,
  })
}
