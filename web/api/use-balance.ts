import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { readUser } from '#contract/account.ts'
import { call } from './call.ts'
import { complete, UNKNOWN } from './complete.ts'
import { readStoredBalance, storeUser, session, useSession } from './session.ts'

/** How often the balance is read again while a page is open: deposits arrive by themselves. */
const REFRESH_MS = 15_000

const userQuery = (walletAddress: string) =>
  queryOptions({
    queryKey: ['user', walletAddress],
    queryFn: async ({ signal }) => {
      const answer = await call(readUser, { params: { address: walletAddress }, signal })
      const user = complete({ walletAddress, creditBalance: UNKNOWN }, answer)
      storeUser(user)
      return user
    },
    placeholderData: () => {
      const creditBalance = readStoredBalance()
      return creditBalance === undefined ? undefined : { walletAddress, creditBalance }
    },
    refetchInterval: REFRESH_MS,
  })

/** The player's balance in $COTTON; undefined while logged out or not known yet. */
export function useBalance(): number | undefined {
  const { walletAddress } = useSession()
  const { data } = useQuery({ ...userQuery(walletAddress ?? ''), enabled: walletAddress !== null })
  // What is remembered is the player's, who may not be known yet.
  return walletAddress === null || Number.isNaN(data?.creditBalance) ? undefined : data?.creditBalance
}

/** The balance that an answer named: it is newer than whatever was read before. An answer without one is a reason to ask. */
export function setBalance(client: QueryClient, creditBalance: number | undefined): void {
  const { walletAddress } = session.get()
  if (walletAddress === null) return
  if (!Number.isFinite(creditBalance) || creditBalance === undefined) {
    void client.invalidateQueries({ queryKey: userQuery(walletAddress).queryKey })
    return
  }
  const user = { walletAddress, creditBalance }
  storeUser(user)
  client.setQueryData(userQuery(walletAddress).queryKey, user)
}
