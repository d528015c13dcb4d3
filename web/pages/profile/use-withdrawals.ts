import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/route.ts'
import { readWithdrawable, readWithdrawals } from '#contract/withdrawals.ts'
import { call } from '#web/api/call.ts'
import { useSession } from '#web/api/session.ts'

export const WITHDRAWALS_KEY = ['mine', 'withdrawals']
export const WITHDRAWABLE_KEY = ['mine', 'withdrawable']

/** While one is under way, the list is read again this often. */
const OPEN_REFRESH_MS = 2_000

export type WithdrawalFacts = ReplyOf<typeof readWithdrawals>['withdrawals'][number]
export type Withdrawable = ReplyOf<typeof readWithdrawable>

const isOpen = ({ state }: WithdrawalFacts): boolean => state !== 'finalized' && state !== 'refunded'

export function useWithdrawals() {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...WITHDRAWALS_KEY, walletAddress],
    queryFn: async ({ signal }) => (await call(readWithdrawals, { query: {}, signal })).withdrawals,
    enabled: walletAddress !== null,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? OPEN_REFRESH_MS : false),
  })
}

/** What could leave right now. */
export function useWithdrawable() {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...WITHDRAWABLE_KEY, walletAddress],
    queryFn: ({ signal }) => call(readWithdrawable, { signal }),
    enabled: walletAddress !== null,
    staleTime: 0,
  })
}
