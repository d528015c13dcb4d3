import './browser-stub.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { WorkerType } from '#game/workers.ts'
import type { ClaimAll } from './use-claim-all.ts'

const { endSession, startSession } = await import('./session.ts')
const { useClaimAll } = await import('./use-claim-all.ts')

const ANA = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'
const BALANCE_KEY = ['user', ANA]

afterEach(() => {
  vi.unstubAllGlobals()
  endSession('logged-out')
})

/** The claim of a page that is rendered without a browser. */
function renderClaim(client: QueryClient, type: WorkerType): ClaimAll {
  const rendered: ClaimAll[] = []
  const Page = () => {
    rendered.push(useClaimAll(type))
    return null
  }
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Page />
    </QueryClientProvider>,
  )
  return rendered[0]!
}

test.each([
  ['without an answer may have been paid, so the balance is read again', 'kid', 500, {}, true],
  [
    'that is refused leaves the balance as it is',
    'grandma',
    409,
    { success: false, code: 'nothing_to_claim', message: 'Nothing.' },
    false,
  ],
] as const)('a claim %s', async (_, type, status, body, isReadAgain) => {
  startSession({ token: 'of ana', walletAddress: ANA })
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(body, { status })))
  const client = new QueryClient()
  client.setQueryData(BALANCE_KEY, { walletAddress: ANA, creditBalance: cotton(5) })
  const { claim } = renderClaim(client, type)
  await new Promise((ended) => claim({ onClaimed: ended, onFailed: ended }))
  expect(client.getQueryState(BALANCE_KEY)?.isInvalidated).toBe(isReadAgain)
})
