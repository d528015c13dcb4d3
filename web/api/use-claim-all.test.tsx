import './browser-stub.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Store } from '#web/store.ts'
import { pressOnce } from '#web/ui/press-once.ts'
import { renderHook } from './hook-stub.tsx'

// In a page that is rendered without a browser nothing runs.
vi.mock('#web/store.ts', async (load) => ({
  ...(await load<object>()),
  useSelected: <T, Found>(store: Store<T>, select: (value: T) => Found): Found => select(store.get()),
}))

const { endSession, startSession } = await import('./session.ts')
const { useClaimAll } = await import('./use-claim-all.ts')

const ANA = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'
const BALANCE_KEY = ['user', ANA]

afterEach(() => {
  vi.unstubAllGlobals()
  endSession('logged-out')
})

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
  const { claim } = renderHook(() => useClaimAll(type), client)
  await new Promise((ended) => claim({ onClaimed: ended, onFailed: ended }))
  expect(client.getQueryState(BALANCE_KEY)?.isInvalidated).toBe(isReadAgain)
})

test.each([
  ['a field', 'claim-bigman'],
  ['a picker', 'claim-bigman-0001'],
])('everything cannot be claimed while the claim of %s runs, and other fields can', async (_, name) => {
  const running = Promise.withResolvers<void>()
  pressOnce(name, () => running.promise)
  const { claiming, resting } = renderHook(() => useClaimAll())
  expect({ claiming, resting }).toEqual({ claiming: false, resting: true })
  expect(renderHook(() => useClaimAll('grandad')).resting).toBe(false)
  running.resolve()
  await expect.poll(() => renderHook(() => useClaimAll()).resting).toBe(false)
})
