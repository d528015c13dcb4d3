import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/route.ts'
import { readTransparency } from '#contract/transparency.ts'
import { call } from './call.ts'

export type Transparency = ReplyOf<typeof readTransparency>
export type Reserve = NonNullable<Transparency['reserve']>

const REFRESH_MS = 10_000

/** What there is, what stands behind it and what waits to leave; told anew every ten seconds. */
export function useTransparency(): UseQueryResult<Transparency> {
  return useQuery({
    queryKey: ['transparency'],
    queryFn: ({ signal }) => call(readTransparency, { signal }),
    refetchInterval: REFRESH_MS,
  })
}
