import { useQuery } from '@tanstack/react-query'
import { checkDeposit } from '#contract/deposits.ts'
import { call } from '#web/api/call.ts'
import { readAmount } from '#web/api/complete.ts'
import { HISTORY_KEY } from '#web/api/history-key.ts'
import { session } from '#web/api/session.ts'
import { setBalance } from '#web/api/use-balance.ts'
import { WALLET_BALANCE_KEY } from '#web/api/use-wallet-balance.ts'
import { recordCredited } from './deposit-state.ts'

/** Most deposits are credited within these first seconds. */
const EAGER_MS = 10_000
const CHECK_EVERY_MS = { eager: 1_000, later: 2_500 }
/** After this time the player reads that they can leave the page. */
const SLOW_AFTER_MS = 90_000

/** Checks for the deposit of a wallet until it is credited. Returns whether that takes unusually long. */
export function useCreditCheck({
  wallet,
  since,
  enabled,
}: {
  wallet: string | null
  since: number
  enabled: boolean
}): boolean {
  const check = useQuery({
    queryKey: ['mine', 'deposit-check'],
    // Without the signal of the query: the game reports a credited deposit once, so the response is read even if the
    // player has left the page.
    queryFn: async ({ client }) => {
      const answer = await call(checkDeposit, {})
      if (session.get().walletAddress !== wallet) return answer
      setBalance(client, answer.newBalance)
      const amount = readAmount(answer.amount)
      if (answer.newDeposit && amount !== null) {
        for (const queryKey of [HISTORY_KEY, WALLET_BALANCE_KEY]) void client.invalidateQueries({ queryKey })
        recordCredited(wallet, amount)
      }
      return answer
    },
    enabled,
    refetchInterval: ({ state }) =>
      state.dataUpdatedAt - since < EAGER_MS ? CHECK_EVERY_MS.eager : CHECK_EVERY_MS.later,
    staleTime: 0,
    gcTime: 0,
  })
  return enabled && check.dataUpdatedAt - since > SLOW_AFTER_MS
}
