import '#web/api/browser-stub.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { renderHook } from '#web/api/hook-stub.tsx'
import { endSession, startSession } from '#web/api/session.ts'
import { toasts } from '#web/ui/toast-store.ts'
import { useWithdrawalLock } from './use-withdrawal-lock.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  endSession('logged-out')
  toasts.set([])
})

test('a lock that was set without a response, and then taken back, is set anew', async () => {
  startSession({ token: 'a token', walletAddress: 'ana' })
  const keys: (string | null)[] = []
  let status = 500
  vi.stubGlobal('fetch', (_url: string, { headers }: { headers: Headers }) => {
    keys.push(headers.get('idempotency-key'))
    return Promise.resolve(Response.json({ success: true, lock: { hours: 0, next: null } }, { status }))
  })
  const { change } = renderHook(useWithdrawalLock)
  await change(72)
  await change(72)
  status = 200
  await change(0)
  await change(72)
  expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 0, 2, 3])
})
