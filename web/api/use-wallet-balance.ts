import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { readWalletBalance } from '#contract/deposits.ts'
import type { Cotton } from '#game/cotton.ts'
import { call } from './call.ts'
import { parseCallError } from './call-error.ts'
import { readAmount } from './complete.ts'
import { useSession } from './session.ts'
import { WALLET_BALANCE_KEY } from './wallet-balance-key.ts'

/**
 * Tokens can arrive in a wallet at any time, and the game is not notified. Each read is a call to a node, of which an api
 * makes few.
 */
const REFRESH_MS = { often: 5_000, rarely: 30_000 }

/**
 * The $COTTON in the player's wallet on the chain, read again while a component uses it: `often` where the player may wait for
 * it.
 */
export function useWalletBalance({ enabled = true, often = false } = {}): UseQueryResult<Cotton> {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...WALLET_BALANCE_KEY, walletAddress],
    queryFn: async ({ signal }) => {
      const answer = await call(readWalletBalance, { signal })
      const amount = readAmount(answer.amount)
      if (amount === null) throw parseCallError(200, answer)
      return amount
    },
    enabled: enabled && walletAddress !== null,
    refetchInterval: often ? REFRESH_MS.often : REFRESH_MS.rarely,
    retry: false,
  })
}
