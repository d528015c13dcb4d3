import '#web/api/browser-stub.ts'
import type { Wallet } from '@wallet-standard/base'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const { endSession, session } = await import('#web/api/session.ts')
const { wallets } = await import('#web/wallet/wallets.ts')
const { cancelLogin, logInFromList } = await import('./use-log-in.ts')
const { loginPopup } = await import('./login-store.ts')

const account = { address: 'ana', publicKey: new Uint8Array(32), chains: ['solana:localnet'], features: [] }

/** A wallet that connects and signs when its owner says so. */
function createWallet() {
  const connecting = Promise.withResolvers<void>()
  const signing = Promise.withResolvers<void>()
  const connect = vi.fn(() => connecting.promise.then(() => ({ accounts: [account] })))
  const signMessage = vi.fn(async ({ message }: { message: Uint8Array }) => {
    await signing.promise
    return [{ signature: new Uint8Array(64), signedMessage: message }]
  })
  const features = { 'standard:connect': { connect }, 'solana:signMessage': { signMessage } }
  const wallet = { name: 'Phantom', features, chains: ['solana:localnet'] } as unknown as Wallet
  return { wallet, connect, signMessage, connecting, signing }
}

/** The server's reply to the signature is sent when the test says so. */
let verified = Promise.withResolvers<void>()

beforeEach(() => {
  verified = Promise.withResolvers()
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === '/api/users/nonce') return Response.json({ success: true, nonce: 'n', message: 'Sign.' })
    await verified.promise
    return Response.json({ success: true, token: 'of ana', message: '' })
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.doUnmock('#web/wallet/log-in.ts')
  endSession('logged-out')
  localStorage.clear()
  wallets.set({ ...wallets.get(), connected: null })
})

const isIdle = () => session.get().step === 'idle' && loginPopup.get().waitingFor === null

test('a wallet that connects after the login was cancelled is not used', async () => {
  const { wallet, connect, connecting } = createWallet()
  const login = logInFromList(wallet)
  await expect.poll(() => connect).toHaveBeenCalled()
  expect(loginPopup.get().waitingFor).toBe('Phantom')
  cancelLogin()
  expect(isIdle()).toBe(true)
  connecting.resolve()
  await login
  expect(wallets.get().connected).toBeNull()
  expect(localStorage.getItem('walletName')).toBeNull()
})

test('a signature that arrives after the login was cancelled is not sent', async () => {
  const { wallet, signMessage, connecting, signing } = createWallet()
  connecting.resolve()
  const login = logInFromList(wallet)
  await expect.poll(() => signMessage).toHaveBeenCalled()
  cancelLogin()
  signing.resolve()
  verified.resolve()
  await login
  expect(isIdle()).toBe(true)
  expect(session.get().token).toBeNull()
})

test('a login whose signature is on its way to the game cannot be cancelled', async () => {
  const { wallet, connecting, signing } = createWallet()
  connecting.resolve()
  signing.resolve()
  const login = logInFromList(wallet)
  await expect.poll(() => session.get().step).toBe('verifying')
  cancelLogin()
  expect(session.get().step).toBe('verifying')
  verified.resolve()
  await login
  expect(session.get().token).toBe('of ana')
  expect(isIdle()).toBe(true)
})

test.each([
  ['/api/users/nonce', 'Failed to get nonce'],
  ['/api/users/verify-wallet', 'Signature verification failed'],
])('a login that loses the connection at %s asks to check it', async (lost, error) => {
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === lost) throw new TypeError('Failed to fetch')
    return answer(path)
  })
  const { wallet, connecting, signing } = createWallet()
  connecting.resolve()
  signing.resolve()
  await logInFromList(wallet)
  const hint = 'Cannot reach the game. Please check your connection.'
  expect(loginPopup.get()).toMatchObject({ open: true, error, hint, waitingFor: null })
})

test('a login in another tab ends the one in this tab, and is not ended by its wallet', async () => {
  const { wallet, connect, connecting } = createWallet()
  const login = logInFromList(wallet)
  await expect.poll(() => connect).toHaveBeenCalled()
  const stored = { token: 'of ben', walletAddress: 'ben', walletName: 'Solflare' }
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value)
  window.dispatchEvent(Object.assign(new Event('storage'), { key: 'token' }))
  expect(isIdle()).toBe(true)
  connecting.resolve()
  await login
  expect(wallets.get().connected).toBeNull()
  expect({ ...session.get(), walletName: localStorage.getItem('walletName') }).toMatchObject(stored)
})

test('a login whose code fails to load asks to reload the page', async () => {
  vi.doMock('#web/wallet/log-in.ts', () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  vi.resetModules()
  const fresh = await import('./use-log-in.ts')
  const store = await import('./login-store.ts')
  await fresh.logInFromList(createWallet().wallet)
  expect(store.loginPopup.get()).toMatchObject({
    open: true,
    error: 'Login failed.',
    hint: 'Check your connection, then reload the page.',
    waitingFor: null,
  })
})
