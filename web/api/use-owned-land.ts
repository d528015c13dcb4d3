import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type ParcelOnWire, readParcels } from '#contract/parcels.ts'
import { call } from './call.ts'
import { useSession } from './session.ts'

export type LandParcel = z.output<typeof ParcelOnWire>

export const OWNED_LAND_KEY = ['mine', 'land']

/** How often it is read again: other windows of the same player buy, too. */
const REFRESH_MS = 30_000

/** The player's land all over the world. */
export function useOwnedLand(): UseQueryResult<readonly LandParcel[]> {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...OWNED_LAND_KEY, walletAddress],
    queryFn: ({ signal }): Promise<readonly LandParcel[]> =>
      call(readParcels, { query: { owner: walletAddress ?? '' }, signal }),
    enabled: walletAddress !== null,
    refetchInterval: REFRESH_MS,
  })
}
