import '#web/api/browser-stub.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { browserStorage } from './browser-storage.ts'

const { localStorage } = globalThis
const ANA = { token: 'of ana', walletAddress: 'ana' }

const replaceStorage = (property: PropertyDescriptor): object =>
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, ...property })

/** Where all site data are blocked, the property itself throws. */
const blockStorage = () =>
  replaceStorage({
    get: () => {
      throw new DOMException('Access is denied.', 'SecurityError')
    },
  })

/** The disk is full. What was stored before can be read and removed. */
const fillStorage = () =>
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('It is full.', 'QuotaExceededError')
  })

afterEach(() => {
  replaceStorage({ value: localStorage, writable: true })
  localStorage.clear()
})

test.each([
  ['blocks', blockStorage],
  ['has filled', fillStorage],
])('a player whose browser %s its storage logs in, plays and logs out', async (_, breakStorage) => {
  breakStorage()
  vi.resetModules()
  const { endSession, readActingPlayer, readStoredBalance, session, startSession, storeUser } =
    await import('#web/api/session.ts')
  startSession(ANA)
  expect(session.get()).toMatchObject(ANA)
  expect(readActingPlayer()).toEqual(ANA)
  storeUser({ walletAddress: 'ana', creditBalance: cotton(7) })
  expect(readStoredBalance('ana')).toBe(cotton(7))
  endSession('logged-out')
  expect(readActingPlayer()).toEqual({ token: null, walletAddress: null })
})

test('a value that can be stored again follows the changes of other windows', () => {
  const full = fillStorage()
  browserStorage.setItem('token', 'of this window')
  expect(browserStorage.getItem('token')).toBe('of this window')
  full.mockRestore()
  browserStorage.setItem('token', 'stored')
  localStorage.setItem('token', 'of another window')
  expect(browserStorage.getItem('token')).toBe('of another window')
})
