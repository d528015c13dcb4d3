import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type ParcelOnWire, readParcels } from '#contract/parcels.ts'
import type { ContinentCode } from '#game/continents.ts'
import type { Cotton } from '#game/cotton.ts'
import type { Call } from '#contract/route.ts'
import { call } from './call.ts'
import { complete, orNull, UNKNOWN, UNKNOWN_AMOUNT } from './complete.ts'
import { useSession } from './session.ts'

type WireParcel = z.output<typeof ParcelOnWire>

/** A reply may lack the tier and the base price of a parcel. Its price then follows from the rule (S-59). */
export type LandParcel = Omit<WireParcel, 'tier' | 'basePrice'> & {
  tier: WireParcel['tier'] | undefined
  basePrice: Cotton | null
}

export const OWNED_LAND_KEY = ['mine', 'land']

/** How often it is read, because the player can buy in another window. */
const REFRESH_MS = 30_000

const EXAMPLE: LandParcel = {
  parcelId: '',
  regionId: '–' as ContinentCode,
  regionName: '–',
  countryCode: '',
  countryName: '–',
  assetType: 'country',
  owned: false,
  ownerWallet: orNull('–'),
  area: UNKNOWN,
  tier: undefined,
  basePrice: UNKNOWN_AMOUNT,
}

/** The parcels of a continent or an owner. */
export async function readLandParcels(
  query: Call<typeof readParcels>['query'],
  signal: AbortSignal,
): Promise<readonly LandParcel[]> {
  return complete([EXAMPLE], await call(readParcels, { query, signal }))
}

/** The player's land on all continents. */
export function useOwnedLand({ enabled = true } = {}): UseQueryResult<readonly LandParcel[]> {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...OWNED_LAND_KEY, walletAddress],
    queryFn: ({ signal }): Promise<readonly LandParcel[]> =>
      readLandParcels({ owner: walletAddress ?? '' }, signal),
    enabled: enabled && walletAddress !== null,
    refetchInterval: REFRESH_MS,
  })
}
