import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { readDeposits } from '#contract/deposits.ts'
import type { ReplyOf } from '#contract/route.ts'
import { call } from '#web/api/call.ts'
import { complete, orNull } from '#web/api/complete.ts'
import { useSession } from '#web/api/session.ts'

export const UNCREDITED_KEY = ['mine', 'uncredited']

/** How often the reason of a pending deposit is read. */
const PENDING_REFRESH_MS = 3_000

type Page = ReplyOf<typeof readDeposits>
export type Uncredited = Page['items'][number]

const EXAMPLE: Page = {
  success: true,
  items: [
    {
      signature: '',
      asset: 'other_token',
      mint: orNull('–'),
      amount: '–',
      state: 'unclaimed',
      why: orNull('–'),
      at: '–',
    },
  ],
  next: orNull('–'),
}

const itemsOf = ({ pages }: InfiniteData<Page>): Uncredited[] => pages.flatMap((page) => page.items)

/** Uncredited receipts of the player's deposit address, newest first, a page at a time. */
export function useUncredited() {
  const { walletAddress } = useSession()
  return useInfiniteQuery({
    queryKey: [...UNCREDITED_KEY, walletAddress],
    queryFn: async ({ pageParam, signal }) => {
      const query = { before: pageParam ?? undefined }
      return complete(EXAMPLE, await call(readDeposits, { query, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page: Page) => page.next,
    select: itemsOf,
    enabled: walletAddress !== null,
    refetchInterval: ({ state }) =>
      state.data && itemsOf(state.data).some((item) => item.state === 'pending') ? PENDING_REFRESH_MS : false,
  })
}
