import '#web/api/browser-stub.ts'
import { beforeEach, expect, test } from 'vitest'

const { endSession, startSession } = await import('#web/api/session.ts')
const { loginPopup, openLogin } = await import('./login-store.ts')

beforeEach(() => endSession('logged-out'))

test('a popup that is open during a login in another tab does not open again at the logout', () => {
  openLogin('Failed to connect wallet')
  startSession({ token: 't', walletAddress: 'ana' })
  endSession('logged-out')
  expect(loginPopup.get()).toMatchObject({ open: false, error: null })
})

test('a popup that would open after a login in another tab does not open at the logout either', () => {
  startSession({ token: 't', walletAddress: 'ana' })
  openLogin()
  endSession('logged-out')
  expect(loginPopup.get().open).toBe(false)
})
