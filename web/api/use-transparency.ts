import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/route.ts'
import { readTransparency } from '#contract/transparency.ts'
import { call } from './call.ts'
import { complete, orNull, UNKNOWN } from './complete.ts'

export type Transparency = ReplyOf<typeof readTransparency>
export type Reserve = NonNullable<Transparency['reserve']>

const FLOW = { total: UNKNOWN, lastDay: UNKNOWN }
const EXAMPLE: Transparency = {
  supply: { deposited: UNKNOWN, earned: UNKNOWN, pool: UNKNOWN, held: UNKNOWN },
  flows: { emitted: FLOW, burned: FLOW, spent: FLOW },
  reserve: orNull({
    standing: 'unseen',
    at: '–',
    slot: UNKNOWN,
    treasury: UNKNOWN,
    cold: 0,
    coldWallets: ['–'],
    depositAccounts: UNKNOWN,
    inFlight: 0,
    tokens: UNKNOWN,
    owed: UNKNOWN,
  }),
  budget: { total: UNKNOWN, used: UNKNOWN, left: UNKNOWN, perWallet: UNKNOWN, resetsAt: '–' },
  queue: [{ state: '' as 'requested', count: UNKNOWN, amount: UNKNOWN, oldest: '–' }],
  pause: orNull({ reason: '–', since: '–' }),
}

const REFRESH_MS = 10_000

/** What there is, what stands behind it and what waits to leave; told anew every ten seconds. */
export function useTransparency(): UseQueryResult<Transparency> {
  return useQuery({
    queryKey: ['transparency'],
    queryFn: async ({ signal }) => complete(EXAMPLE, await call(readTransparency, { signal })),
    refetchInterval: REFRESH_MS,
  })
}
