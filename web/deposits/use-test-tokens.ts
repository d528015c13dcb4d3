import { useQueryClient } from '@tanstack/react-query'
import { useFaucet as faucet } from '#contract/deposits.ts'
import { call } from '#web/api/call.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { session, useSession } from '#web/api/session.ts'
import { WALLET_BALANCE_KEY } from '#web/api/wallet-balance-key.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { createStore, useStore } from '#web/store.ts'
import { usePressOnce } from '#web/ui/press-once.ts'

/** The next player must not read the failure of the last one. */
const lastFailure = createStore<{ wallet: string | null; text: string } | null>(null)

/** Local chain only: free tokens for the player's wallet. They are in `useWalletBalance` once `requesting` ends. */
export function useTestTokens(): {
  request: () => void
  requesting: boolean
  resting: boolean
  /** Why the last request failed, as a sentence for the player. */
  failure: string | null
} {
  const client = useQueryClient()
  const { press, running, resting } = usePressOnce('test-tokens')
  const { walletAddress } = useSession()
  const failure = useStore(lastFailure)
  const request = async (): Promise<void> => {
    const { walletAddress: wallet } = session.get()
    lastFailure.set(null)
    try {
      await call(faucet, { body: { walletAddress: wallet ?? '' } })
      await client.invalidateQueries({ queryKey: WALLET_BALANCE_KEY })
    } catch (error) {
      lastFailure.set({ wallet, text: getErrorMessage(error, depositMessages.testTokens.failed) })
    }
  }
  return {
    request: () => press(request),
    requesting: running,
    resting,
    failure: failure?.wallet === walletAddress ? failure.text : null,
  }
}
