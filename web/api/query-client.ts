import { QueryClient } from '@tanstack/react-query'
import { CallError } from './call-error.ts'
import { session } from './session.ts'

const RETRIES = 2

/** A refusal is an answer: asking again would only repeat it. */
const worthRetrying = (failures: number, error: Error): boolean =>
  failures < RETRIES && !(error instanceof CallError && error.status >= 400 && error.status < 500)

function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: 5_000, retry: worthRetrying }, mutations: { retry: false } },
  })
  // What one player saw must not greet the next one.
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
