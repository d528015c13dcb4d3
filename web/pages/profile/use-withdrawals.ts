import { type InfiniteData, type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/route.ts'
import { readWithdrawable, readWithdrawals } from '#contract/withdrawals.ts'
import type { Amounts } from '#web/api/amounts.ts'
import { call } from '#web/api/call.ts'
import { complete, orNull, UNKNOWN_AMOUNT } from '#web/api/complete.ts'
import { useSession } from '#web/api/session.ts'
import { WALLET_BALANCE_KEY } from '#web/api/wallet-balance-key.ts'

export const WITHDRAWALS_KEY = ['mine', 'withdrawals']
export const WITHDRAWABLE_KEY = ['mine', 'withdrawable']

/** How often the list is read while a withdrawal is open. */
const OPEN_REFRESH_MS = 2_000

/** How often the limits are read while the player waits for a change of them. */
const LIMITS_REFRESH_MS = 10_000

type Page = Amounts<ReplyOf<typeof readWithdrawals>>
export type WithdrawalFacts = Page['withdrawals'][number]
export type Withdrawable = Amounts<ReplyOf<typeof readWithdrawable>>

const WITHDRAWAL: WithdrawalFacts = {
  id: '',
  amount: UNKNOWN_AMOUNT,
  deposited: UNKNOWN_AMOUNT,
  earned: UNKNOWN_AMOUNT,
  state: 'requested',
  reason: orNull('–'),
  reasons: [],
  signature: orNull('–'),
  requestedAt: '–',
  settledAt: orNull('–'),
  cancelledAt: orNull('–'),
}
const PAGE: Page = { success: true, withdrawals: [WITHDRAWAL], next: orNull('–') }
const WITHDRAWABLE: Withdrawable = {
  success: true,
  withdrawable: UNKNOWN_AMOUNT,
  deposited: UNKNOWN_AMOUNT,
  earned: UNKNOWN_AMOUNT,
  earnedToday: UNKNOWN_AMOUNT,
  needsDeposit: false,
  minimum: UNKNOWN_AMOUNT,
  budgetResetsAt: '–',
  paused: false,
  pause: orNull({ reason: '–', since: '–' }),
}

const isOpen = ({ state }: WithdrawalFacts): boolean => state !== 'finalized' && state !== 'refunded'

const withdrawalsOf = ({ pages }: InfiniteData<Page>): WithdrawalFacts[] =>
  pages.flatMap((page) => page.withdrawals)

/** The player's withdrawals, newest first, a page at a time. */
export function useWithdrawals() {
  const { walletAddress } = useSession()
  return useInfiniteQuery({
    queryKey: [...WITHDRAWALS_KEY, walletAddress],
    queryFn: async ({ pageParam, signal, client, queryKey }) => {
      const query = { before: pageParam ?? undefined }
      const page = complete(PAGE, await call(readWithdrawals, { query, signal }))
      readWhatMoved(client, client.getQueryData<InfiniteData<Page>>(queryKey), page)
      return page
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page: Page) => page.next,
    select: withdrawalsOf,
    enabled: walletAddress !== null,
    refetchInterval: ({ state }) =>
      state.data && withdrawalsOf(state.data).some(isOpen) ? OPEN_REFRESH_MS : false,
  })
}

/** Reads what a withdrawal has changed that was open in the last list: a refund the balance, a payout the wallet. */
function readWhatMoved(client: QueryClient, known: InfiniteData<Page> | undefined, page: Page): void {
  const open = new Set(
    known &&
      withdrawalsOf(known)
        .filter(isOpen)
        .map(({ id }) => id),
  )
  const states = new Set(page.withdrawals.filter(({ id }) => open.has(id)).map(({ state }) => state))
  const moved = [
    ...(states.has('refunded') ? [['user'], WITHDRAWABLE_KEY] : []),
    ...(states.has('finalized') ? [WALLET_BALANCE_KEY] : []),
  ]
  for (const queryKey of moved) void client.invalidateQueries({ queryKey })
}

/**
 * What the player can withdraw right now. It is read again during a pause, and with `refresh` also without one: the limit
 * of earnings resets every day, and other players use it up.
 */
export function useWithdrawable({ refresh = false } = {}) {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...WITHDRAWABLE_KEY, walletAddress],
    queryFn: async ({ signal }) => complete(WITHDRAWABLE, await call(readWithdrawable, { signal })),
    enabled: walletAddress !== null,
    refetchInterval: ({ state }) => (refresh || state.data?.paused ? LIMITS_REFRESH_MS : false),
    staleTime: 0,
  })
}
