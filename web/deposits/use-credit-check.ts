import { type QueryClient, useQuery } from '@tanstack/react-query'
import { checkDeposit } from '#contract/deposits.ts'
import { call, callerOf, type Reply } from '#web/api/call.ts'
import { readAmount } from '#web/api/complete.ts'
import { HISTORY_KEY } from '#web/api/history-key.ts'
import { refetchChanged } from '#web/api/refetch-changed.ts'
import { setBalance } from '#web/api/use-balance.ts'
import { WALLET_BALANCE_KEY } from '#web/api/wallet-balance-key.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { recordCredited, recordLost } from './deposit-state.ts'

/** Most deposits are credited within these first seconds. */
const EAGER_MS = 10_000
const CHECK_EVERY_MS = { eager: 1_000, later: 2_500 }
/** After this time the player reads that they can leave the page. */
const SLOW_AFTER_MS = 90_000
/** A transfer that is not on the chain by then never will be, because its blockhash expires within a minute or two. */
export const LOST_AFTER_MS = 180_000

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
    queryFn: ({ client }) => checkCredit(client, { wallet, since }),
    enabled,
    refetchInterval: ({ state }) =>
      checkedAfterMs(state, since) < EAGER_MS ? CHECK_EVERY_MS.eager : CHECK_EVERY_MS.later,
    staleTime: 0,
    gcTime: 0,
  })
  return enabled && checkedAfterMs(check, since) > SLOW_AFTER_MS
}

/** How long after the deposit the last check ended, in ms. One that failed counts, too: the chain may not respond for long. */
const checkedAfterMs = (
  { dataUpdatedAt, errorUpdatedAt }: { dataUpdatedAt: number; errorUpdatedAt: number },
  since: number,
): number => Math.max(dataUpdatedAt, errorUpdatedAt) - since

/** Checks once, and records what has become of a wallet's deposits, the last of which was sent at `since` (ms). */
export async function checkCredit(
  client: QueryClient,
  { wallet, since }: { wallet: string | null; since: number },
): Promise<Reply<typeof checkDeposit>> {
  const answer = await call(checkDeposit, {})
  setBalance(client, answer)
  if (callerOf(answer) !== wallet) return answer
  const amount = readAmount(answer.amount)
  if (answer.newDeposit && amount !== null) {
    refetchChanged(client, { queryKey: HISTORY_KEY })
    void client.invalidateQueries({ queryKey: WALLET_BALANCE_KEY })
    recordCredited(wallet, amount)
  } else if (readAmount(answer.pending) === 0n && Date.now() - since > LOST_AFTER_MS) {
    recordLost(wallet, depositMessages.lost)
  }
  return answer
}
