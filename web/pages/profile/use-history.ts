import { useInfiniteQuery } from '@tanstack/react-query'
import { readHistory } from '#contract/history.ts'
import type { ReplyOf } from '#contract/route.ts'
import { call } from '#web/api/call.ts'
import { useSession } from '#web/api/session.ts'

export const HISTORY_KEY = ['mine', 'history']

const PAGE_SIZE = '10'
/** While a deposit is on its way, the list is read again this often. */
const PENDING_REFRESH_MS = 3_000

type History = ReplyOf<typeof readHistory>
export type HistoryItem = History['items'][number]

/** Every movement of the balance, newest first, a page at a time. */
export function useHistory() {
  const { walletAddress } = useSession()
  return useInfiniteQuery({
    queryKey: [...HISTORY_KEY, walletAddress],
    queryFn: ({ pageParam, signal }) =>
      call(readHistory, { query: { limit: PAGE_SIZE, before: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page: History) => page.next,
    enabled: walletAddress !== null,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.pending.length ? PENDING_REFRESH_MS : false),
  })
}
