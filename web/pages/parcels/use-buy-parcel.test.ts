import '#web/api/browser-stub.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { cotton, ZERO } from '#game/cotton.ts'
import { renderHook } from '#web/api/hook-stub.tsx'
import { refuseCalls } from '#web/api/refusal-stub.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'

const { endSession, session, startSession, storeUser } = await import('#web/api/session.ts')
const { useBuyParcel } = await import('./use-buy-parcel.ts')

const ANA = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'

/** The addresses that a press calls. */
function callsOf(parcelId: string, client: QueryClient): string[] {
  const calls = refuseCalls('parcel_taken', { status: 409, message: 'It is sold.' })
  const parcel = { parcelId, ownerWallet: null, owned: false } as LandParcel
  const { buy } = renderHook(() => useBuyParcel(parcel), client)
  buy(parcel, cotton(100_000))
  return calls
}

afterEach(() => {
  vi.unstubAllGlobals()
  endSession('logged-out')
  localStorage.clear()
})

test('the balance of the last visit does not refuse a purchase of land, and the one that is read does', async () => {
  startSession({ token: 'a token', walletAddress: ANA })
  storeUser({ walletAddress: ANA, creditBalance: ZERO })
  vi.spyOn(session, 'getPrerendered').mockImplementation(session.get)
  const bought = callsOf('AF-KE', new QueryClient())
  await expect.poll(() => bought).toEqual(['/api/parcels/purchase'])
  const client = new QueryClient()
  client.setQueryData(['user', ANA], { walletAddress: ANA, creditBalance: ZERO })
  const refused = callsOf('AF-EG', client)
  await new Promise((resolve) => setTimeout(resolve))
  expect(refused).toEqual([])
})
