import '#web/api/browser-stub.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { parseOwnedWorkers } from '#web/api/use-owned-workers.ts'
import type { Store } from '#web/store.ts'
import { pressOnce } from '#web/ui/press-once.ts'
import { WorkerCard } from './worker-card.tsx'

// In a page that is rendered without a browser nothing runs.
vi.mock('#web/store.ts', async (load) => ({
  ...(await load<object>()),
  useSelected: <T, Found>(store: Store<T>, select: (value: T) => Found): Found => select(store.get()),
}))

const AT = '2026-11-20T12:00:00.000Z'

const WORKERS = parseOwnedWorkers([
  {
    workerId: 'kid-0001',
    workerType: 'kid',
    totalGeneratedTokens: 10,
    claimedGeneratedTokens: 0,
    unclaimedTokens: 10,
    generationRate: 5_000,
    purchaseDate: AT,
    lastTokenUpdate: AT,
  },
])

const renderCard = (): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      {WORKERS.map((worker) => (
        <WorkerCard key={worker.workerId} worker={worker} />
      ))}
    </QueryClientProvider>,
  )

test('the card of a picker takes no press while everything is claimed, and takes them while others are', async () => {
  expect(renderCard()).toContain('Claim Tokens')
  const others = Promise.withResolvers<void>()
  pressOnce('claim-kid-0002', () => others.promise)
  expect(renderCard()).not.toContain('aria-disabled')
  const everything = Promise.withResolvers<void>()
  pressOnce('claim-all', () => everything.promise)
  expect(renderCard()).toContain('aria-disabled="true"')
  others.resolve()
  everything.resolve()
  await expect.poll(renderCard).not.toContain('aria-disabled')
})
