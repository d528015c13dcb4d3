import '#web/api/browser-stub.ts'
import type { Wallet } from '@wallet-standard/base'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const { wallets } = await import('#web/wallet/wallets.ts')
const { logInWith, prepareSigning } = await import('./sign-in.ts')
const { session } = await import('./session.ts')
const { actMessages } = await import('#web/messages/en-console-acts.ts')
const { walletMessages } = await import('#web/messages/en-wallets.ts')

const account = { address: 'ana', publicKey: new Uint8Array(32), chains: ['solana:localnet'], features: [] }

/** A wallet that connects and signs when its owner says so. */
function createWallet(more: object = {}) {
  const connecting = Promise.withResolvers<void>()
  const signing = Promise.withResolvers<void>()
  const connect = () => connecting.promise.then(() => ({ accounts: [account] }))
  const signMessage = vi.fn(async ({ message }: { message: Uint8Array }) => {
    await signing.promise
    return [{ signature: new Uint8Array(64), signedMessage: message }]
  })
  const features = { 'standard:connect': { connect }, 'solana:signMessage': { signMessage }, ...more }
  const wallet = { name: 'Phantom', features, chains: ['solana:localnet'] } as unknown as Wallet
  return { wallet, signMessage, connecting, signing }
}

const calls: string[] = []

beforeEach(() => {
  calls.splice(0)
  vi.stubGlobal('fetch', async (path: string) => {
    calls.push(path)
    return Response.json({ success: true, message: 'Sign.' })
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
  wallets.set({ wallets: [], connected: null })
})

test.each([
  ['a login', (wallet: Wallet, cancelled: AbortSignal) => logInWith(wallet, cancelled)],
  ['an act', (_: Wallet, cancelled: AbortSignal) => prepareSigning(cancelled)],
])('a wallet that connects after %s was cancelled is not used', async (_, start) => {
  const { wallet, connecting } = createWallet()
  wallets.set({ wallets: [wallet], connected: null })
  localStorage.setItem('walletName', 'Phantom')
  const cancelling = new AbortController()
  const started = start(wallet, cancelling.signal)
  cancelling.abort()
  await expect(started).rejects.toBe(cancelling.signal.reason)
  connecting.resolve()
  await new Promise((resolve) => setTimeout(resolve))
  expect(wallets.get().connected).toBeNull()
  expect(calls).toEqual([])
})

test('a login that is cancelled before the console has answered does not ask the wallet to sign', async () => {
  const { wallet, signMessage, connecting } = createWallet()
  connecting.resolve()
  const answer = Promise.withResolvers<Response>()
  const fetch = vi.fn(() => answer.promise)
  vi.stubGlobal('fetch', fetch)
  const cancelling = new AbortController()
  const login = logInWith(wallet, cancelling.signal)
  await expect.poll(() => fetch).toHaveBeenCalled()
  cancelling.abort()
  answer.resolve(Response.json({ success: true, message: 'Sign.' }))
  await expect(login).rejects.toBe(cancelling.signal.reason)
  expect(signMessage).not.toHaveBeenCalled()
})

test('a signature that arrives after a login was cancelled is not sent', async () => {
  const { wallet, signMessage, connecting, signing } = createWallet()
  connecting.resolve()
  const cancelling = new AbortController()
  const login = logInWith(wallet, cancelling.signal)
  await expect.poll(() => signMessage).toHaveBeenCalled()
  cancelling.abort()
  await expect(login).rejects.toBe(cancelling.signal.reason)
  signing.resolve()
  await new Promise((resolve) => setTimeout(resolve))
  expect(calls).toHaveLength(1)
})

test('a login that is cancelled while the console checks it does not log in later', async () => {
  const { wallet, connecting, signing } = createWallet()
  connecting.resolve()
  signing.resolve()
  vi.stubGlobal('sessionStorage', localStorage)
  const operator = { wallet: 'ana', name: 'Ana', rights: [] }
  const answer = Promise.withResolvers<Response>()
  const toSign = { success: true, message: 'Sign.' }
  const fetch = vi.fn(async (path: string) =>
    path === '/api/console/login' ? answer.promise : Response.json(toSign),
  )
  vi.stubGlobal('fetch', fetch)
  const cancelling = new AbortController()
  const login = logInWith(wallet, cancelling.signal)
  await expect.poll(() => fetch).toHaveBeenCalledTimes(2)
  cancelling.abort()
  answer.resolve(Response.json({ success: true, token: 'late', operator, idleAt: '2026-01-05T12:00:00Z' }))
  await expect(login).rejects.toBe(cancelling.signal.reason)
  await new Promise((resolve) => setTimeout(resolve))
  expect(session.get().token).toBeNull()
})

test('an act that its operator declines to sign is not said to move no tokens', async () => {
  const { wallet, signMessage, connecting } = createWallet({ 'solana:signTransaction': {} })
  connecting.resolve()
  signMessage.mockRejectedValueOnce(Object.assign(new Error('No.'), { code: 4001 }))
  signMessage.mockRejectedValueOnce(new Error('The wallet is locked.'))
  const operator = { wallet: 'ana', name: 'Ana', rights: ['decide'] as const }
  session.set({ token: 'token', operator, idleMs: 60_000, ended: null })
  wallets.set({ wallets: [wallet], connected: null })
  localStorage.setItem('walletName', 'Phantom')
  const { sign } = await prepareSigning(new AbortController().signal)
  await expect(sign({ message: 'Approve.' })).rejects.toThrow(actMessages.unsigned.declined)
  await expect(sign({ message: 'Approve.' })).rejects.toThrow(actMessages.unsigned.unknown)
  session.set({ token: null, operator: null, idleMs: 60_000, ended: null })
})

test('a login that a hardware wallet may not have signed asks for one', async () => {
  const refused = { success: false, code: 'signature_failed', message: 'Signature verification failed.' }
  vi.stubGlobal('fetch', async (path: string) =>
    path === '/api/console/login'
      ? Response.json(refused, { status: 401 })
      : Response.json({ success: true, message: 'Sign.' }),
  )
  const failureOf = async (more: object, signs: boolean) => {
    const { wallet, signMessage, connecting, signing } = createWallet(more)
    connecting.resolve()
    signing.resolve()
    if (!signs) signMessage.mockRejectedValue(new Error('0x6a81'))
    return logInWith(wallet, new AbortController().signal).catch(String)
  }
  const transactions = { 'solana:signTransaction': {} }
  expect(await failureOf(transactions, true)).toContain(`${refused.message} ${walletMessages.tryHardware}`)
  expect(await failureOf(transactions, false)).toContain(walletMessages.tryHardware)
  expect(await failureOf({}, true)).not.toContain(walletMessages.tryHardware)
  expect(await failureOf({}, false)).toContain(walletMessages.sign.unknown)
})
