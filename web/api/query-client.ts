import { QueryClient } from '@tanstack/react-query'
import { CallError } from './call-error.ts'
import { session } from './session.ts'

const RETRIES = 2

/** A refusal is not retried, because it would only repeat itself. Neither is a call of an offline browser. */
const worthRetrying = (failures: number, error: Error): boolean =>
  failures < RETRIES &&
  !(error instanceof CallError && (error.code === 'offline' || (error.status >= 400 && error.status < 500)))

function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // React Query would pause calls while the browser is offline: lists would load for ever, and an action would run
      // when the player no longer expects it.
      queries: { networkMode: 'always', refetchOnReconnect: true, staleTime: 5_000, retry: worthRetrying },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  // The next player must not see the data of the last one.
  let player = session.get().walletAddress
  session.subscribe(() => {
    const { walletAddress } = session.get()
    if (walletAddress === player) return
    player = walletAddress
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === 'mine' })
  })
  return client
}

export const queryClient = createQueryClient()
