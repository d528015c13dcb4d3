import { useInfiniteQuery } from '@tanstack/react-query'
import { readHistory } from '#contract/history.ts'
import type { ReplyOf } from '#contract/route.ts'
import type { Amounts } from '#web/api/amounts.ts'
import { call } from '#web/api/call.ts'
import { HISTORY_KEY } from '#web/api/history-key.ts'
import { complete, orNull, UNKNOWN_AMOUNT } from '#web/api/complete.ts'
import { useSession } from '#web/api/session.ts'

const PAGE_SIZE = '10'
/** How often the list is read while a deposit is pending. */
const PENDING_REFRESH_MS = 3_000

type History = Amounts<ReplyOf<typeof readHistory>>
export type HistoryItem = History['items'][number]

export type HistoryFilter = {
  kind: HistoryItem['kind'] | undefined
  from: string | undefined
  to: string | undefined
}
export const NO_FILTER: HistoryFilter = { kind: undefined, from: undefined, to: undefined }

/** Whether the filter leaves anything out. One whose choices were taken back does not. */
export const isFiltering = (filter: HistoryFilter): boolean =>
  Object.values(filter).some((choice) => choice !== undefined)

const EXAMPLE: History = {
  success: true,
  items: [{ id: '', kind: 'adjustment', amount: UNKNOWN_AMOUNT, at: '–', detail: {} }],
  next: orNull('–'),
  pending: [{ signature: '', amount: UNKNOWN_AMOUNT, at: '–' }],
}

/** Every movement of the balance, newest first, a page at a time. */
export function useHistory({ kind, from, to }: HistoryFilter) {
  const { walletAddress } = useSession()
  return useInfiniteQuery({
    queryKey: [...HISTORY_KEY, walletAddress, kind, from, to],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, before: pageParam ?? undefined, kind, from, to }
      return complete(EXAMPLE, await call(readHistory, { query, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page: History) => page.next,
    enabled: walletAddress !== null,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.pending.length ? PENDING_REFRESH_MS : false),
  })
}
