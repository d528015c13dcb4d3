import { expect, test, vi } from 'vitest'
import { endSession, session, startSession, updateOperator } from './session.ts'

test('an operator whose browser blocks its storage logs in, and out again', () => {
  const deny = () => {
    throw new DOMException('Access is denied.', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { setItem: deny, removeItem: deny })
  startSession({ token: 'of ana', operator: { wallet: 'ana', name: 'Ana', rights: [] }, idleMs: 60_000 })
  expect(session.get().token).toBe('of ana')
  updateOperator({ wallet: 'ana', name: 'Ana', rights: ['view'] })
  expect(session.get()).toMatchObject({ token: 'of ana', operator: { rights: ['view'] } })
  endSession('logged-out')
  expect(session.get()).toMatchObject({ token: null, ended: 'logged-out' })
  vi.unstubAllGlobals()
})
