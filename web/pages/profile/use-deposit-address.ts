import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { readDepositAddress } from '#contract/deposits.ts'
import { call } from '#web/api/call.ts'
import { parseCallError } from '#web/api/call-error.ts'
import { useSession } from '#web/api/session.ts'

/**
 * The player's deposit address. It is read again whenever the player returns to it: a database that has lost its assignment
 * assigns another one, and credits nobody with what arrives at the first.
 */
export function useDepositAddress(): UseQueryResult<string> {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: ['mine', 'deposit-address', walletAddress],
    queryFn: async ({ signal }) => {
      const answer = await call(readDepositAddress, { signal })
      if (!answer.depositWallet) throw parseCallError(200, answer)
      return answer.depositWallet
    },
    enabled: walletAddress !== null,
  })
}
