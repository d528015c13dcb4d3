import { useQuery } from '@tanstack/react-query'
import { readDeposits } from '#contract/deposits.ts'
import type { ReplyOf } from '#contract/route.ts'
import { call } from '#web/api/call.ts'
import { complete, orNull } from '#web/api/complete.ts'
import { useSession } from '#web/api/session.ts'

export const UNCREDITED_KEY = ['mine', 'uncredited']

/** While a deposit is on its way, what it waits for is asked for this often. */
const PENDING_REFRESH_MS = 3_000

export type Uncredited = ReplyOf<typeof readDeposits>['items'][number]

const EXAMPLE: ReplyOf<typeof readDeposits> = {
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
}

/** What reached the player's deposit address and is not credited, newest first. */
export function useUncredited() {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...UNCREDITED_KEY, walletAddress],
    queryFn: async ({ signal }) => complete(EXAMPLE, await call(readDeposits, { signal })).items,
    enabled: walletAddress !== null,
    refetchInterval: ({ state }) =>
      state.data?.some((item) => item.state === 'pending') ? PENDING_REFRESH_MS : false,
  })
}
