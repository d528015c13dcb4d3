import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/route.ts'
import { readWithdrawable, readWithdrawals } from '#contract/withdrawals.ts'
import { call } from '#web/api/call.ts'
import { complete, orNull, UNKNOWN } from '#web/api/complete.ts'
import { useSession } from '#web/api/session.ts'

export const WITHDRAWALS_KEY = ['mine', 'withdrawals']
export const WITHDRAWABLE_KEY = ['mine', 'withdrawable']

/** While one is under way, the list is read again this often. */
const OPEN_REFRESH_MS = 2_000

export type WithdrawalFacts = ReplyOf<typeof readWithdrawals>['withdrawals'][number]
export type Withdrawable = ReplyOf<typeof readWithdrawable>

const WITHDRAWAL: WithdrawalFacts = {
  id: '',
  amount: UNKNOWN,
  deposited: UNKNOWN,
  earned: UNKNOWN,
  state: 'requested',
  reason: orNull('–'),
  reasons: [],
  signature: orNull('–'),
  requestedAt: '–',
  settledAt: orNull('–'),
}
const WITHDRAWABLE: Withdrawable = {
  success: true,
  withdrawable: UNKNOWN,
  deposited: UNKNOWN,
  earned: UNKNOWN,
  earnedToday: UNKNOWN,
  needsDeposit: false,
  minimum: UNKNOWN,
  budgetResetsAt: '–',
  paused: false,
  pause: orNull({ reason: '–', since: '–' }),
}

const isOpen = ({ state }: WithdrawalFacts): boolean => state !== 'finalized' && state !== 'refunded'

export function useWithdrawals() {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...WITHDRAWALS_KEY, walletAddress],
    queryFn: async ({ signal }) =>
      complete({ withdrawals: [WITHDRAWAL] }, await call(readWithdrawals, { query: {}, signal })).withdrawals,
    enabled: walletAddress !== null,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? OPEN_REFRESH_MS : false),
  })
}

/** What could leave right now. */
export function useWithdrawable() {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...WITHDRAWABLE_KEY, walletAddress],
    queryFn: async ({ signal }) => complete(WITHDRAWABLE, await call(readWithdrawable, { signal })),
    enabled: walletAddress !== null,
    staleTime: 0,
  })
}
