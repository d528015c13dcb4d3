import { continentOf } from '#game/parcels.ts'
import { queryOptions, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ContinentMap, MapParcel, WorldMap } from '#web/art/maps/continent-map.ts'
import { loadContinentMap, loadWorldMap } from '#web/art/maps/load-map.ts'
import { type ContinentCode, isContinentCode } from '#game/continents.ts'

/** A map never changes while the page is open. */
const FOREVER = { staleTime: Infinity, gcTime: Infinity } as const

const continentQuery = (code: ContinentCode) =>
  queryOptions({ queryKey: ['map', code], queryFn: () => loadContinentMap(code), ...FOREVER })

export function useContinentMap(code: ContinentCode): UseQueryResult<ContinentMap> {
  return useQuery(continentQuery(code))
}

export function useWorldMap(): UseQueryResult<WorldMap> {
  return useQuery({ queryKey: ['map', 'world'], queryFn: loadWorldMap, ...FOREVER })
}

/** The outlines of parcels on any continents. Outlines that are still loading are missing. */
export function useShapes(parcelIds: readonly string[]): ReadonlyMap<string, MapParcel> {
  const codes = [...new Set(parcelIds.map(continentOf))].filter(isContinentCode)
  const maps = useQueries({ queries: codes.map(continentQuery) })
  return new Map(
    maps.flatMap(({ data }) => data?.parcels ?? []).map((parcel) => [parcel.parcelId, parcel] as const),
  )
}
