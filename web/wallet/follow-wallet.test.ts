import '#web/api/browser-stub.ts'
import type { Wallet } from '@wallet-standard/base'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { walletMessages } from '#web/messages/en-wallets.ts'
import type { Connected } from './wallets.ts'

const { endSession, session, startSession } = await import('#web/api/session.ts')
const { logOut, reconnectSilently, watchAccount } = await import('./follow-wallet.ts')
const { ensureSigningWallet } = await import('./log-in.ts')
const { connect, wallets } = await import('./wallets.ts')

const connectedTo = (name: string, address: string) =>
  ({ wallet: { name }, account: { address } }) as Connected

/** A wallet that connects when `answer` is called. */
function createWallet(name: string, address: string) {
  const asked = Promise.withResolvers<void>()
  const standardConnect = { connect: () => asked.promise.then(() => ({ accounts: [{ address }] })) }
  const wallet = { name, features: { 'standard:connect': standardConnect } } as unknown as Wallet
  return { wallet, answer: asked.resolve }
}

/** Enough turns for what follows an answer. */
const settle = () => new Promise((resolve) => setTimeout(resolve))

let stop: () => void
let received: { path: string; token: string | null }[]

beforeEach(() => {
  received = []
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    received.push({ path, token: new Headers(init.headers).get('x-auth-token') })
    return Promise.resolve(Response.json({ success: true }))
  })
  wallets.set({ ...wallets.get(), connected: connectedTo('Phantom', 'ana') })
  startSession({ token: 't', walletAddress: 'ana' })
  localStorage.setItem('walletName', 'Phantom')
  stop = watchAccount()
})

afterEach(() => {
  stop()
  endSession('logged-out')
  localStorage.clear()
  wallets.set({ wallets: [], connected: null })
  vi.unstubAllGlobals()
})

test('another account in the wallet of the session ends it, here and on the server', async () => {
  wallets.set({ ...wallets.get(), connected: connectedTo('Phantom', 'ben') })
  expect(session.get()).toMatchObject({ token: null, ended: 'account-switched' })
  await expect.poll(() => received).toEqual([{ path: '/api/users/logout', token: 't' }])
})

test('a logout ends the session here at once, and on the server', async () => {
  const loggedOut = logOut()
  expect(session.get()).toMatchObject({ token: null, ended: 'logged-out' })
  await loggedOut
  expect(received).toEqual([{ path: '/api/users/logout', token: 't' }])
})

test('the wallet of before does not end a session that another tab has started with another wallet', () => {
  startSession({ token: 'of the other tab', walletAddress: 'ben' })
  localStorage.setItem('walletName', 'Solflare')
  wallets.set({ ...wallets.get(), connected: connectedTo('Phantom', 'ana') })
  expect(session.get().token).toBe('of the other tab')
  expect(received).toEqual([])
})

test('a locked wallet that reconnects late does not end the session of the next wallet', async () => {
  const phantom = createWallet('Phantom', 'ana')
  const solflare = createWallet('Solflare', 'ben')
  wallets.set({ wallets: [phantom.wallet, solflare.wallet], connected: null })
  const stopReconnecting = reconnectSilently()
  endSession('logged-out')
  solflare.answer()
  await connect(solflare.wallet, { silent: false })
  startSession({ token: 'of ben', walletAddress: 'ben' })
  phantom.answer()
  await settle()
  expect(session.get().token).toBe('of ben')
  expect(wallets.get().connected?.account.address).toBe('ben')
  stopReconnecting()
})

test('a wallet that connects after a withdrawal was cancelled does not end the session', async () => {
  const phantom = createWallet('Phantom', 'another account')
  wallets.set({ wallets: [phantom.wallet], connected: null })
  const cancelling = new AbortController()
  const asked = ensureSigningWallet(cancelling.signal)
  cancelling.abort()
  phantom.answer()
  await expect(asked).rejects.toThrow(walletMessages.connectFailed)
  expect(session.get().token).toBe('t')
})
