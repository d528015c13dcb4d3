import '#web/api/browser-stub.ts'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { afterEach, expect, test, vi } from 'vitest'
import { walletMessages } from '#web/messages/en-wallets.ts'

const { setLoginStep } = await import('#web/api/session.ts')
const { logIn } = await import('./log-in.ts')
const { disconnect } = await import('./wallets.ts')

const ANA = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'
const NONCE = { success: true, nonce: 'a nonce', message: 'Sign in' }
const REFUSAL = { success: false, code: 'signature_failed', message: 'Signature verification failed' }

/** A wallet that signs other bytes than those that it reports. */
function walletWith(features: object): Wallet {
  const account = { address: ANA, features: [] } as unknown as WalletAccount
  const signMessage = async ({ message }: { message: Uint8Array }) => [
    { signedMessage: message, signature: new Uint8Array(64) },
  ]
  const all = {
    'standard:connect': { connect: async () => ({ accounts: [account] }) },
    'solana:signMessage': { signMessage },
    ...features,
  }
  return { name: 'Solflare', features: all } as unknown as Wallet
}

afterEach(async () => {
  vi.unstubAllGlobals()
  await disconnect()
  setLoginStep('idle')
  localStorage.clear()
})

test.each([
  ['that signs transactions too asks for a hardware wallet', { 'solana:signTransaction': {} }, true],
  ['that signs messages only does not ask for one', {}, false],
])('a login with a wrong signature of a wallet %s', async (_, features, asks) => {
  vi.stubGlobal('fetch', async (path: string) =>
    path === '/api/users/nonce' ? Response.json(NONCE) : Response.json(REFUSAL, { status: 401 }),
  )
  const { verify, tryHardware } = walletMessages
  await expect(logIn(walletWith(features), new AbortController().signal)).rejects.toMatchObject({
    message: 'Signature verification failed',
    hint: asks ? `${verify} ${tryHardware}` : verify,
  })
})

const refuse = () => Promise.reject(new Error('The player declined.'))

test.each([
  ['connect', { 'standard:connect': { connect: refuse } }, 'Failed to connect wallet.'],
  ['sign', { 'solana:signMessage': { signMessage: refuse } }, 'Failed to sign message with wallet'],
])('a login with a wallet that refuses to %s names that step (S-101)', async (_, features, message) => {
  vi.stubGlobal('fetch', async () => Response.json(NONCE))
  const login = logIn(walletWith(features), new AbortController().signal)
  await expect(login).rejects.toMatchObject({ message })
})

test('a login with a wallet that cannot sign says so (S-72)', async () => {
  const wallet = walletWith({})
  Reflect.deleteProperty(wallet.features, 'solana:signMessage')
  await expect(logIn(wallet, new AbortController().signal)).rejects.toMatchObject({
    message: 'Wallet not connected or does not support signing',
  })
})
