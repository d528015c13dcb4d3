import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { readWalletBalance } from '#contract/deposits.ts'
import { call } from './call.ts'
import { parseCallError } from './call-error.ts'
import { useSession } from './session.ts'

export const WALLET_BALANCE_KEY = ['mine', 'wallet-balance']

/** Tokens come to a wallet without a word to the game. */
const REFRESH_MS = 5_000

/** The $COTTON in the player's wallet on the chain, as long as somebody wants to know. */
export function useWalletBalance({ enabled = true } = {}): UseQueryResult<number> {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...WALLET_BALANCE_KEY, walletAddress],
    queryFn: async ({ signal }) => {
      const answer = await call(readWalletBalance, { signal })
      if (!Number.isFinite(answer.amount)) throw parseCallError(200, answer)
      return answer.amount
    },
    enabled: enabled && walletAddress !== null,
    refetchInterval: REFRESH_MS,
    retry: false,
  })
}
