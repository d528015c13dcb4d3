import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/route.ts'
import { readTransparency } from '#contract/transparency.ts'
import { ZERO } from '#game/cotton.ts'
import type { Amounts } from './amounts.ts'
import { call } from './call.ts'
import { complete, orNull, UNKNOWN, UNKNOWN_AMOUNT } from './complete.ts'

export type Transparency = Amounts<ReplyOf<typeof readTransparency>>
export type Reserve = NonNullable<Transparency['reserve']>

const FLOW = { total: UNKNOWN_AMOUNT, lastDay: UNKNOWN_AMOUNT }
const EXAMPLE: Transparency = {
  supply: { deposited: UNKNOWN_AMOUNT, earned: UNKNOWN_AMOUNT, pool: UNKNOWN_AMOUNT, held: UNKNOWN_AMOUNT },
  flows: { emitted: FLOW, burned: FLOW, spent: FLOW },
  reserve: orNull({
    standing: 'unseen',
    at: '–',
    slot: UNKNOWN,
    treasury: UNKNOWN_AMOUNT,
    cold: ZERO,
    coldWallets: ['–'],
    depositAccounts: UNKNOWN_AMOUNT,
    inFlight: ZERO,
    tokens: UNKNOWN_AMOUNT,
    owed: UNKNOWN_AMOUNT,
  }),
  budget: {
    total: UNKNOWN_AMOUNT,
    used: UNKNOWN_AMOUNT,
    left: UNKNOWN_AMOUNT,
    perWallet: UNKNOWN_AMOUNT,
    resetsAt: '–',
  },
  queue: [{ state: '' as 'requested', count: UNKNOWN, amount: UNKNOWN_AMOUNT, oldest: '–' }],
  pause: orNull({ reason: '–', since: '–' }),
}

const REFRESH_MS = 10_000

/** Credit, reserve, budget and open withdrawals of the game, read every ten seconds. */
export function useTransparency(): UseQueryResult<Transparency> {
  return useQuery({
    queryKey: ['transparency'],
    queryFn: async ({ signal }) => complete(EXAMPLE, await call(readTransparency, { signal })),
    refetchInterval: REFRESH_MS,
  })
}
