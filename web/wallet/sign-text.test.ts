import '#web/api/browser-stub.ts'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { expect, test } from 'vitest'
import { base64 } from './bytes.ts'
import type { SignMethod } from './sign-text.ts'

const { chooseSignMethod, formFor, OtherAccountError, signText } = await import('./sign-text.ts')

const PUBLIC_KEY = new Uint8Array(32).fill(5)
const SIGNATURE = new Uint8Array(64).fill(7)
const TEXT = { message: 'Log in' }
const RAW = new TextEncoder().encode(TEXT.message)
const WRAPPED = Uint8Array.from([255, ...RAW])

/** A wallet with these features. Its account lists all of them but the sign-in, as wallets do. */
function walletWith(features: Record<string, unknown>, listed = Object.keys(features)) {
  const account: WalletAccount = {
    address: 'ana',
    publicKey: PUBLIC_KEY,
    chains: ['solana:mainnet'],
    features: listed.filter((name): name is SignMethod => name !== 'solana:signIn') as SignMethod[],
  }
  const wallet: Wallet = {
    version: '1.0.0',
    name: 'Solflare',
    icon: 'data:image/svg+xml;base64,',
    chains: ['solana:mainnet'],
    accounts: [account],
    features,
  }
  return { wallet, account }
}

const signMessageAs = (signedMessage: Uint8Array) => ({
  'solana:signMessage': { signMessage: async () => [{ signedMessage, signature: SIGNATURE }] },
})
const offchain = (supportedMessageVersions: number[]) => ({
  'solana:signOffchainMessage': {
    supportedMessageVersions,
    signOffchainMessage: async () => [{ signedOffchainMessage: WRAPPED, signature: SIGNATURE }],
  },
})
const signInAs = (address: string) => ({
  'solana:signIn': {
    signIn: async () => [{ account: { address }, signedMessage: WRAPPED, signature: SIGNATURE }],
  },
})
const transactions = { 'solana:signTransaction': {} }
const everything = { ...signMessageAs(RAW), ...offchain([1]), ...signInAs('ana'), ...transactions }

test('a wallet signs in the plainest form that it and the account offer', () => {
  const chosen = (features: object, listed?: string[]) =>
    chooseSignMethod(walletWith({ ...features }, listed), false)
  expect(chosen(everything)).toBe('solana:signMessage')
  expect(chosen({ ...offchain([1]), ...signInAs('ana'), ...transactions })).toBe('solana:signOffchainMessage')
  expect(chosen({ ...offchain([]), ...signInAs('ana'), ...transactions })).toBe('solana:signIn')
  expect(chosen(transactions)).toBe('solana:signTransaction')
  expect(chosen(everything, ['solana:signTransaction'])).toBe('solana:signIn')
  expect(chosen(everything, [])).toBe('solana:signMessage')
  expect(chosen({})).toBeNull()
})

test('a hardware wallet signs a transaction, whatever the wallet that drives it offers', () => {
  expect(chooseSignMethod(walletWith(everything), true)).toBe('solana:signTransaction')
  expect(chooseSignMethod(walletWith(signMessageAs(RAW)), true)).toBe('solana:signMessage')
})

test('only a sign-in and a transaction are prepared by the server', () => {
  expect(formFor('solana:signMessage')).toEqual({})
  expect(formFor('solana:signOffchainMessage')).toEqual({})
  expect(formFor('solana:signIn')).toEqual({ form: 'sign-in' })
  expect(formFor('solana:signTransaction')).toEqual({ form: 'transaction' })
})

test('the signed bytes are passed on where they are not the bytes of the message', async () => {
  const signature = base64(SIGNATURE)
  const signedMessage = base64(WRAPPED)
  const sign = (features: object, method: SignMethod) =>
    signText(walletWith({ ...features }), method, { ...TEXT, signIn: {} })
  expect(await sign(signMessageAs(RAW), 'solana:signMessage')).toEqual({ signature })
  expect(await sign(signMessageAs(WRAPPED), 'solana:signMessage')).toEqual({ signature, signedMessage })
  expect(await sign(offchain([1]), 'solana:signOffchainMessage')).toEqual({ signature, signedMessage })
  expect(await sign(signInAs('ana'), 'solana:signIn')).toEqual({ signature, signedMessage })
})

test('a sign-in by another account is rejected', async () => {
  const signed = signText(walletWith(signInAs('ben')), 'solana:signIn', { ...TEXT, signIn: {} })
  await expect(signed).rejects.toThrow(OtherAccountError)
})
