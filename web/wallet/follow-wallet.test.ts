import '#web/api/browser-stub.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Connected } from './wallets.ts'

const { endSession, session, startSession } = await import('#web/api/session.ts')
const { logOut, watchAccount } = await import('./follow-wallet.ts')
const { wallets } = await import('./wallets.ts')

const connectedTo = (name: string, address: string) =>
  ({ wallet: { name }, account: { address } }) as Connected

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
  wallets.set({ ...wallets.get(), connected: null })
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
