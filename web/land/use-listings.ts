import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type ListingOnWire, readListings, readParcelSales, readUserListings } from '#contract/market.ts'
import type { ReplyOf } from '#contract/route.ts'
import { recordUpdate, recordReadFailure } from '#web/realtime/world-state.ts'
import type * as z from 'zod/mini'
import type { Cotton } from '#game/cotton.ts'
import type { ContinentCode } from '#game/continents.ts'
import type { Amounts } from '#web/api/amounts.ts'
import { call } from '#web/api/call.ts'
import { complete, orNull, UNKNOWN_AMOUNT } from '#web/api/complete.ts'
import { useSession } from '#web/api/session.ts'
import { applyMarketState, LISTINGS_KEY, MY_LISTINGS_KEY, SALES_KEY } from '#web/api/use-market-open.ts'

type WireListing = Amounts<z.output<typeof ListingOnWire>>

export type Listing = Omit<WireListing, 'tier'> & { tier: WireListing['tier'] | undefined }
type WireSale = ReplyOf<typeof readParcelSales>['sales'][number]
export type Sale = Amounts<WireSale, Cotton>

const LISTING: Listing = {
  id: '',
  status: 'active',
  parcelId: '',
  continentCode: '–' as ContinentCode,
  assetType: 'country',
  countryCode: '',
  countryName: '–',
  regionName: '–',
  tier: undefined,
  displayPrice: UNKNOWN_AMOUNT,
  originalPrice: UNKNOWN_AMOUNT,
  sellerReceives: UNKNOWN_AMOUNT,
  lastPrice: UNKNOWN_AMOUNT,
  listedDate: '–',
  sellerWalletAddress: '–',
  buyerWalletAddress: orNull('–'),
  purchaseDate: orNull('–'),
}
const MARKET = { listings: [LISTING] }
const SALE: Amounts<WireSale> = { price: UNKNOWN_AMOUNT, at: '–', by: 'game' }

const completeListings = (answer: unknown): readonly Listing[] => complete(MARKET, answer).listings

/**
 * How often listings are read without a change of the market. A frame can be lost, and a read that follows a frame can
 * reach another process of the server, which does not have the change yet.
 */
const REFRESH_MS = 30_000

/** Every active listing, newest first. It is read again whenever the market changes. */
export function useListings({ enabled = true } = {}): UseQueryResult<readonly Listing[]> {
  return useQuery({
    queryKey: LISTINGS_KEY,
    queryFn: async ({ signal }): Promise<readonly Listing[]> => {
      try {
        const answer = await call(readListings, { signal })
        applyMarketState(answer)
        recordUpdate()
        return completeListings(answer)
      } catch (error) {
        if (!signal.aborted) recordReadFailure()
        throw error
      }
    },
    enabled,
    refetchInterval: REFRESH_MS,
    retry: false,
  })
}

/** The player's own listings: the active ones and the newest sold ones. */
export function useMyListings(): UseQueryResult<readonly Listing[]> {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...MY_LISTINGS_KEY, walletAddress],
    queryFn: async ({ signal }): Promise<readonly Listing[]> =>
      completeListings(
        await call(readUserListings, { params: { wallet: walletAddress ?? '' }, query: {}, signal }),
      ),
    enabled: walletAddress !== null,
    refetchInterval: REFRESH_MS,
    retry: false,
  })
}

/** The newest sales of a parcel, oldest first. */
export function useSales(parcelId: string): UseQueryResult<readonly Sale[]> {
  return useQuery({
    queryKey: [...SALES_KEY, parcelId],
    queryFn: async ({ signal }): Promise<readonly Sale[]> => {
      const { sales } = complete(
        { sales: [SALE] },
        await call(readParcelSales, { params: { parcelId }, query: {}, signal }),
      )
      // A sale without its price has no bar.
      return sales.filter((sale): sale is Sale => sale.price !== null)
    },
  })
}
