import '#web/api/browser-stub.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { renderHook } from '#web/api/hook-stub.tsx'
import { refuseCalls } from '#web/api/refusal-stub.ts'
import type { Store } from '#web/store.ts'

// A page that is rendered without a browser has no session and no failure.
vi.mock('#web/store.ts', async (load) => ({
  ...(await load<typeof import('#web/store.ts')>()),
  useStore: <T>(store: Store<T>): T => store.get(),
}))

const { endSession, startSession } = await import('#web/api/session.ts')
const { useTestTokens } = await import('./use-test-tokens.ts')

const ANA = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'
const BEN = '7fUAJdStEuGbc3sM84cKRL6yYaaSstyLSU4ve5oovLS7'

const failure = (): string | null => renderHook(useTestTokens).failure

afterEach(() => {
  vi.unstubAllGlobals()
  endSession('logged-out')
  localStorage.clear()
})

test('a request for test tokens that failed is reported to the wallet that made it, and to no other', async () => {
  startSession({ token: 'of ana', walletAddress: ANA })
  refuseCalls('chain_unreachable', { status: 503, message: 'The chain is not responding.' })
  renderHook(useTestTokens).request()
  await expect.poll(failure).toBe('The chain is not responding.')
  endSession('logged-out')
  expect(failure()).toBeNull()
  startSession({ token: 'of ben', walletAddress: BEN })
  expect(failure()).toBeNull()
})
