import '#web/api/browser-stub.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Connected } from './wallets.ts'

const { endSession, session, startSession } = await import('#web/api/session.ts')
const { watchAccount } = await import('./follow-wallet.ts')
const { wallets } = await import('./wallets.ts')

const connectedTo = (name: string, address: string) =>
  ({ wallet: { name }, account: { address } }) as Connected

let stop: () => void

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ success: true })))
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

test('another account in the wallet of the session ends it', () => {
  wallets.set({ ...wallets.get(), connected: connectedTo('Phantom', 'ben') })
  expect(session.get()).toMatchObject({ token: null, ended: 'account-switched' })
})

test('the wallet of before does not end a session that another tab has started with another wallet', () => {
  startSession({ token: 'of the other tab', walletAddress: 'ben' })
  localStorage.setItem('walletName', 'Solflare')
  wallets.set({ ...wallets.get(), connected: connectedTo('Phantom', 'ana') })
  expect(session.get().token).toBe('of the other tab')
})
