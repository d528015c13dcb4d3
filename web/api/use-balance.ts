import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { readUser } from '#contract/account.ts'
import type { Cotton } from '#game/cotton.ts'
import type { UnreadAmount } from './amounts.ts'
import { call, callerOf, callNumberOf, countCalls } from './call.ts'
import { complete, orNull, readAmount, UNKNOWN_AMOUNT } from './complete.ts'
import { HISTORY_KEY } from './history-key.ts'
import { isInDoubt } from './is-in-doubt.ts'
import { refetchChanged } from './refetch-changed.ts'
import { walletFreeze, type WalletFreeze } from '#web/wallet-freeze.ts'
import { readStoredBalance, storeUser, session, useSession } from './session.ts'

/** How often the balance is read while a page is open. Deposits are credited without a call from the page. */
const REFRESH_MS = 15_000

/** How many calls were made when a balance was last set. */
let callsBeforeSet = 0

/** Whether the call of a reply was made before a balance was set that may be newer. */
const mayBeOlder = (reply: object): boolean => callNumberOf(reply) <= callsBeforeSet

/** The read of a wallet's balance. */
export const userQuery = (walletAddress: string) =>
  queryOptions({
    queryKey: ['user', walletAddress],
    queryFn: async ({ signal, client, queryKey }) => {
      const answer = await call(readUser, { params: { address: walletAddress }, signal })
      const { frozen, ...user } = complete(
        { walletAddress, creditBalance: UNKNOWN_AMOUNT, frozen: orNull({ reason: '', since: '' }) },
        answer,
      )
      if (session.get().walletAddress === walletAddress) setFreeze(frozen)
      const known = client.getQueryData<typeof user>(queryKey)
      if (known && mayBeOlder(answer)) return known
      storeUser(user)
      readHistoryIfMoved(client, { from: known?.creditBalance, to: user.creditBalance })
      return user
    },
    placeholderData: () => {
      const creditBalance = readStoredBalance(walletAddress)
      return creditBalance === undefined ? undefined : { walletAddress, creditBalance }
    },
    refetchInterval: REFRESH_MS,
  })

type Move = { from: Cotton | null | undefined; to: Cotton | null }

/** Reads the history again where it is shown. A sale or a refund changes the balance without a call from the page. */
function readHistoryIfMoved(client: QueryClient, { from, to }: Move): void {
  if (from !== undefined && from !== to) refetchChanged(client, { queryKey: HISTORY_KEY })
}

function setFreeze(next: WalletFreeze | null): void {
  const known = walletFreeze.get()
  if (known?.reason !== next?.reason || known?.since !== next?.since) walletFreeze.set(next)
}

// The next player must not read the reason of the last one.
let player = session.get().walletAddress
session.subscribe(() => {
  const { walletAddress } = session.get()
  if (walletAddress !== player) walletFreeze.set(null)
  player = walletAddress
})

/** The player's balance for display; undefined while logged out or unknown. At first it is that of the last visit. */
export function useBalance(): Cotton | undefined {
  return useUser().data?.creditBalance ?? undefined
}

/** The player's balance for a check; undefined until it is read. That of the last visit may be too low. */
export function useKnownBalance(): Cotton | undefined {
  const { data, isPlaceholderData } = useUser()
  return isPlaceholderData ? undefined : (data?.creditBalance ?? undefined)
}

function useUser() {
  const { walletAddress } = useSession()
  return useQuery({ ...userQuery(walletAddress ?? ''), enabled: walletAddress !== null })
}

/**
 * Sets the balance of a reply for the wallet that called. It is newer than any that was read before. A reply without one, that
 * of a repeated call, and that of a call which overlapped another one, starts a read: replies overtake each other.
 */
export function setBalance(client: QueryClient, reply: { newBalance: UnreadAmount }): void {
  const walletAddress = callerOf(reply)
  const creditBalance = readAmount(reply.newBalance)
  if (walletAddress === null || creditBalance === null || mayBeOlder(reply)) {
    void client.invalidateQueries({ queryKey: ['user'] })
    return
  }
  const user = { walletAddress, creditBalance }
  const { queryKey } = userQuery(walletAddress)
  callsBeforeSet = countCalls()
  storeUser(user)
  readHistoryIfMoved(client, { from: client.getQueryData(queryKey)?.creditBalance, to: creditBalance })
  client.setQueryData(queryKey, user)
}

/** Reads the balance after an action without an answer, which may have changed it. A refused action has not. */
export function readBalanceIfInDoubt(client: QueryClient, error: unknown): void {
  if (isInDoubt(error)) void client.invalidateQueries({ queryKey: ['user'] })
}
