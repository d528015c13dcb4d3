import { useCallback, useMemo } from 'react'
import type { ContinentCode } from '#game/continents.ts'
import type { Cotton } from '#game/cotton.ts'
import { useOpenContinents } from '#web/api/use-market-open.ts'
import { usePolling } from '#web/realtime/use-polling.ts'
import { useListings } from './use-listings.ts'

/**
 * Whether players can trade the land of a continent, and what they ask for it, by parcel id. The listings are polled while
 * the socket is down.
 */
export function useResalePrices(code: ContinentCode): {
  open: boolean
  prices: ReadonlyMap<string, Cotton>
} {
  const open = useOpenContinents()?.includes(code) ?? false
  const { data: listings, isError, refetch } = useListings({ enabled: open })
  const poll = useCallback(
    async (options: { cancelRefetch: boolean }) => (open ? refetch(options) : null),
    [open, refetch],
  )
  usePolling(poll, open && isError, { whileOpen: false })
  const prices = useMemo(
    () =>
      new Map(
        (open ? (listings ?? []) : []).flatMap(({ parcelId, displayPrice }) =>
          displayPrice === null ? [] : [[parcelId, displayPrice] as const],
        ),
      ),
    [open, listings],
  )
  return { open, prices }
}
