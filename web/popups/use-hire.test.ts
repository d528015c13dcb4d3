import '#web/api/browser-stub.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { cotton, ZERO } from '#game/cotton.ts'
import { renderHook } from '#web/api/hook-stub.tsx'
import { refuseCalls } from '#web/api/refusal-stub.ts'
import type { PickerFacts } from '#web/api/use-worker-types.ts'

const { endSession, session, startSession, storeUser } = await import('#web/api/session.ts')
const { useHire } = await import('./use-hire.ts')

const ANA = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'
const TYPE = { name: 'Kid', price: cotton(50_000), available: 3 } as PickerFacts

/** The addresses that a press calls. */
function callsOf(workerType: 'kid' | 'grandma', client: QueryClient): string[] {
  const calls = refuseCalls('sold_out', { status: 409, message: 'None is left.' })
  const { hire } = renderHook(() => useHire({ ...TYPE, workerType }, () => undefined), client)
  hire()
  return calls
}

afterEach(() => {
  vi.unstubAllGlobals()
  endSession('logged-out')
  localStorage.clear()
})

test('the balance of the last visit does not refuse a hire, and the one that is read does', async () => {
  startSession({ token: 'a token', walletAddress: ANA })
  storeUser({ walletAddress: ANA, creditBalance: ZERO })
  vi.spyOn(session, 'getPrerendered').mockImplementation(session.get)
  const hired = callsOf('kid', new QueryClient())
  await expect.poll(() => hired).toEqual(['/api/workers/purchase'])
  const client = new QueryClient()
  client.setQueryData(['user', ANA], { walletAddress: ANA, creditBalance: ZERO })
  const refused = callsOf('grandma', client)
  await new Promise((resolve) => setTimeout(resolve))
  expect(refused).toEqual([])
})
