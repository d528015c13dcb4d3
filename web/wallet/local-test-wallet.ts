import type { SolanaSignMessageMethod, SolanaSignTransactionMethod } from '@solana/wallet-standard-features'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import type { StandardEventsOnMethod } from '@wallet-standard/features'
import { registerWallet } from '@wallet-standard/wallet'
import { browserStorage } from '#web/browser-storage.ts'
import { base58, base64, fromBase64 } from './bytes.ts'
import { findSignatureSlot } from './signature-slot.ts'
import { LOCAL_TEST_WALLET } from './wallets.ts'

const KEY = 'cotton-farm:local-test-wallet'
const CHAINS = ['solana:localnet'] as const
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAxIDEiPjxyZWN0IHdpZHRoPSIxIiBoZWlnaHQ9IjEiIGZpbGw9IiM1NWE2MmMiLz48L3N2Zz4='

type StoredKey = { pkcs8: string; publicKey: string }

async function loadKeyPair(): Promise<{
  sign: (bytes: Uint8Array) => Promise<Uint8Array>
  publicKey: Uint8Array
}> {
  const generated = browserStorage.getItem(KEY) === null ? JSON.stringify(await generateKey()) : ''
  // Another tab may have stored its key meanwhile.
  const storedText = browserStorage.getItem(KEY) ?? generated
  browserStorage.setItem(KEY, storedText)
  const stored = JSON.parse(storedText) as StoredKey
  const privateKey = await crypto.subtle.importKey('pkcs8', fromBase64(stored.pkcs8), 'Ed25519', false, [
    'sign',
  ])
  return {
    publicKey: fromBase64(stored.publicKey),
    sign: async (bytes) =>
      new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, Uint8Array.from(bytes))),
  }
}

async function generateKey(): Promise<StoredKey> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair
  return {
    pkcs8: base64(new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey))),
    publicKey: base64(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))),
  }
}

/** Registers a Wallet Standard wallet whose key is stored in this browser. For the local test chain only. */
export async function registerLocalTestWallet(): Promise<void> {
  const { sign, publicKey } = await loadKeyPair()
  const account: WalletAccount = {
    address: base58(publicKey),
    publicKey,
    chains: CHAINS,
    features: ['solana:signMessage', 'solana:signTransaction'],
  }
  let accounts: readonly WalletAccount[] = [account]
  const listeners = new Set<Parameters<StandardEventsOnMethod>[1]>()
  const setAccounts = (next: readonly WalletAccount[]): void => {
    accounts = next
    for (const listener of listeners) listener({ accounts })
  }

  const signMessage: SolanaSignMessageMethod = (...inputs) =>
    Promise.all(
      inputs.map(async ({ message }) => ({
        signedMessage: message,
        signature: await sign(message),
        signatureType: 'ed25519',
      })),
    )
  const signTransaction: SolanaSignTransactionMethod = (...inputs) =>
    Promise.all(
      inputs.map(async ({ transaction }) => {
        const { offset, message } = findSignatureSlot(transaction, publicKey)
        const signedTransaction = transaction.slice()
        signedTransaction.set(await sign(message), offset)
        return { signedTransaction }
      }),
    )
  const on: StandardEventsOnMethod = (_event, listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  const wallet: Wallet = {
    version: '1.0.0',
    name: LOCAL_TEST_WALLET,
    icon: ICON,
    chains: CHAINS,
    get accounts() {
      return accounts
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async () => {
          if (accounts.length === 0) setAccounts([account])
          return { accounts }
        },
      },
      'standard:disconnect': { version: '1.0.0', disconnect: async () => setAccounts([]) },
      'standard:events': { version: '1.0.0', on },
      'solana:signMessage': { version: '1.1.0', signMessage },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction,
      },
    },
  }
  registerWallet(wallet)
}
