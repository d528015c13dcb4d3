import '#web/api/browser-stub.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderHook } from '#web/api/hook-stub.tsx'
import { WALLET_BALANCE_KEY } from '#web/api/wallet-balance-key.ts'

const { endSession, session, startSession } = await import('#web/api/session.ts')
const { useWithdrawals, WITHDRAWABLE_KEY } = await import('./use-withdrawals.ts')

const ANA = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'

const WITHDRAWAL = {
  id: '11111111-1111-4111-8111-111111111111',
  amount: 5,
  deposited: 5,
  earned: 0,
  reason: null,
  reasons: [],
  signature: null,
  requestedAt: '2026-11-20T09:12:00.000Z',
  settledAt: null,
  cancelledAt: null,
}

/** Reads the list, in which the withdrawal has one state after the other. Returns what has to be read again. */
async function readAfter(...states: string[]): Promise<unknown[]> {
  const client = new QueryClient()
  const keys = [
    ['user', ANA],
    [...WITHDRAWABLE_KEY, ANA],
    [...WALLET_BALANCE_KEY, ANA],
  ]
  for (const key of keys) client.setQueryData(key, 'read before')
  const { refetch } = renderHook(useWithdrawals, client)
  for (const state of states) {
    const reply = { success: true, withdrawals: [{ ...WITHDRAWAL, state }], next: null }
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(reply)))
    await refetch({ throwOnError: true })
  }
  return keys.filter((key) => client.getQueryState(key)?.isInvalidated)
}

beforeEach(() => {
  startSession({ token: 'a token', walletAddress: ANA })
  vi.spyOn(session, 'getPrerendered').mockImplementation(session.get)
})

afterEach(() => {
  vi.unstubAllGlobals()
  endSession('logged-out')
  localStorage.clear()
})

test('a withdrawal that is refunded while the list is open has the balance and the limits read again', async () => {
  expect(await readAfter('review', 'refunded')).toEqual([
    ['user', ANA],
    [...WITHDRAWABLE_KEY, ANA],
  ])
})

test('a withdrawal that is paid while the list is open has the wallet read again', async () => {
  expect(await readAfter('sent', 'finalized')).toEqual([[...WALLET_BALANCE_KEY, ANA]])
})

test('a withdrawal that is still open, or had ended before, has nothing read again', async () => {
  expect(await readAfter('requested', 'sent')).toEqual([])
  expect(await readAfter('refunded', 'refunded')).toEqual([])
})
