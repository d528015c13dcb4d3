import { useKnownBalance } from '#web/api/use-balance.ts'
import { useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { useSession } from '#web/api/session.ts'
import { useWalletBalance } from '#web/api/use-wallet-balance.ts'
import { useWorkerTypes } from '#web/api/use-worker-types.ts'
import { isRunning } from '#web/deposits/deposit-state.ts'
import { useSendDeposit } from '#web/deposits/use-send-deposit.ts'
import { lowestPrice, type PlayerFacts } from './next-step.ts'

/** What the first steps know about the player. The wallet is read only while it decides the step. */
export function usePlayerFacts(): PlayerFacts {
  const { loggedIn } = useSession()
  const balance = useKnownBalance()
  const { data: workers } = useOwnedWorkers()
  const { types, isSample } = useWorkerTypes()
  const { deposit } = useSendDeposit()
  const prices = isSample ? undefined : types?.filter((type) => type.available > 0).map(({ price }) => price)
  const enabled = balance !== undefined && balance < lowestPrice(prices) && workers?.length === 0
  const inWallet = useWalletBalance({ enabled })
  return {
    loggedIn,
    workers,
    balance,
    prices,
    inWallet: inWallet.data ?? (inWallet.isError ? null : undefined),
    depositing: isRunning(deposit),
  }
}
