import './browser-stub.ts'
import { beforeEach, expect, test } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'

const { readActingPlayer, endSession, readStoredBalance, storeUser, session, startSession } =
  await import('./session.ts')

const WALLET = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'

beforeEach(() => {
  localStorage.clear()
  endSession('logged-out')
})

test('a session is stored under the keys of the spec (S-51)', () => {
  startSession({ token: 't', walletAddress: WALLET })
  expect(localStorage.getItem('token')).toBe('t')
  expect(localStorage.getItem('walletAddress')).toBe(WALLET)
  expect(localStorage.getItem('user')).toBe(JSON.stringify({ walletAddress: WALLET }))
  expect(session.get()).toEqual({ token: 't', walletAddress: WALLET, step: 'idle', ended: null })
})

test('the end of a session clears token, wallet and user, and leaves the wallet’s name (S-64)', () => {
  localStorage.setItem('walletName', 'Phantom')
  startSession({ token: 't', walletAddress: WALLET })
  endSession('expired')
  expect([
    localStorage.getItem('token'),
    localStorage.getItem('walletAddress'),
    localStorage.getItem('user'),
  ]).toEqual([null, null, null])
  expect(localStorage.getItem('walletName')).toBe('Phantom')
  expect(session.get()).toMatchObject({ token: null, walletAddress: null, ended: 'expired' })
})

test('a logout in another tab ends the session in this one', () => {
  startSession({ token: 't', walletAddress: WALLET })
  localStorage.removeItem('token')
  window.dispatchEvent(Object.assign(new Event('storage'), { key: 'token' }))
  expect(session.get().token).toBeNull()
})

test('a page that Back takes out of the cache of the browser has the session of now', () => {
  startSession({ token: 't', walletAddress: WALLET })
  const show = (persisted: boolean) =>
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))
  const before = session.get()
  show(true)
  expect(session.get()).toBe(before)
  localStorage.setItem('token', 'newer')
  localStorage.setItem('walletAddress', 'ben')
  show(false)
  expect(session.get()).toBe(before)
  show(true)
  expect(session.get()).toMatchObject({ token: 'newer', walletAddress: 'ben' })
})

test('a session that ends in a frozen tab does not end the one that another tab has started since', () => {
  for (const reason of ['expired', 'account-switched'] as const) {
    startSession({ token: 't', walletAddress: WALLET })
    localStorage.setItem('token', 'newer')
    localStorage.setItem('walletAddress', 'ben')
    endSession(reason)
    expect(session.get()).toEqual({ token: 'newer', walletAddress: 'ben', step: 'idle', ended: null })
    expect(localStorage.getItem('token')).toBe('newer')
  }
})

test('a token without its wallet is no session', () => {
  localStorage.setItem('token', 't')
  window.dispatchEvent(Object.assign(new Event('storage'), { key: 'token' }))
  expect(session.get().token).toBeNull()
})

test('a balance is stored for its own player only, and damaged text is no balance', () => {
  startSession({ token: 't', walletAddress: WALLET })
  storeUser({ walletAddress: 'somebody else', creditBalance: cotton(5) })
  expect(readStoredBalance(WALLET)).toBeUndefined()
  storeUser({ walletAddress: WALLET, creditBalance: baseUnits(1_234_500_000n) })
  expect(JSON.parse(localStorage.getItem('user')!)).toEqual({ walletAddress: WALLET, creditBalance: 1_234.5 })
  expect(readStoredBalance(WALLET)).toBe(1_234_500_000n)
  expect(readStoredBalance('somebody else')).toBeUndefined()
  localStorage.setItem('user', '{')
  expect(readStoredBalance(WALLET)).toBeUndefined()
})

test('a logout removes the wallet from the storage; an expiry does not (S-64)', () => {
  startSession({ token: 't', walletAddress: WALLET })
  localStorage.setItem('lastSeen', `${WALLET} 5`)
  endSession('expired')
  expect(localStorage.getItem('lastSeen')).toBe(`${WALLET} 5`)
  for (const reason of ['logged-out', 'account-switched'] as const) {
    startSession({ token: 't', walletAddress: WALLET })
    localStorage.setItem('lastSeen', `${WALLET} 5`)
    endSession(reason)
    expect(localStorage.getItem('lastSeen')).toBeNull()
  }
})

test('a wallet address that is missing from the storage counts as none', () => {
  expect(readActingPlayer()).toEqual({ token: null, walletAddress: null })
  startSession({ token: 't', walletAddress: WALLET })
  expect(readActingPlayer()).toEqual({ token: 't', walletAddress: WALLET })
  localStorage.removeItem('walletAddress')
  expect(readActingPlayer()).toEqual({ token: 't', walletAddress: null })
  endSession('expired')
  localStorage.setItem('token', 'alone')
  expect(readActingPlayer()).toEqual({ token: 'alone', walletAddress: null })
})
