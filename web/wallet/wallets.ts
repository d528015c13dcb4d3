import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignInFeature,
  SolanaSignMessageFeature,
  SolanaSignOffchainMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features'
import { getWallets } from '@wallet-standard/app'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
} from '@wallet-standard/features'
import { browserStorage } from '#web/browser-storage.ts'
import { createStore } from '#web/store.ts'

export const PHANTOM = 'Phantom'
export const LOCAL_TEST_WALLET = 'Local test wallet'

/** The name of the wallet that was last used (S-51). */
const WALLET_NAME_KEY = 'walletName'

export type Features = StandardConnectFeature &
  Partial<
    StandardDisconnectFeature &
      StandardEventsFeature &
      SolanaSignMessageFeature &
      SolanaSignOffchainMessageFeature &
      SolanaSignInFeature &
      SolanaSignTransactionFeature &
      SolanaSignAndSendTransactionFeature
  >

export type Connected = { wallet: Wallet; account: WalletAccount }

export type WalletsState = { wallets: readonly Wallet[]; connected: Connected | null }

const registry = getWallets()
export const featuresOf = (wallet: Wallet): Features => wallet.features as unknown as Features
const supportsSolana = (wallet: Wallet): boolean =>
  'standard:connect' in wallet.features && wallet.chains.some((chain) => chain.startsWith('solana:'))

export const wallets = createStore<WalletsState>(
  { wallets: registry.get().filter(supportsSolana), connected: null },
  { wallets: [], connected: null },
)

const refresh = (): void => wallets.set({ ...wallets.get(), wallets: registry.get().filter(supportsSolana) })
registry.on('register', refresh)
registry.on('unregister', refresh)

export const findWallet = (name: string): Wallet | undefined =>
  wallets.get().wallets.find((wallet) => wallet.name === name)

/** The wallets of players that can sign a login: in a message, in a sign-in, or in a transaction that is never sent. */
export const usableWallets = ({ wallets: all }: WalletsState): Wallet[] =>
  all.filter(
    ({ name, features }) =>
      name !== LOCAL_TEST_WALLET &&
      Object.keys(features).some((each) =>
        /^solana:sign(Message|OffchainMessage|In|Transaction)$/.test(each),
      ),
  )

/** How long after the start of the app wallets may still register themselves. */
const WALLET_WAIT_MS = 1_000
const loadedAt = performance.now()

/** The wallet. Soon after the start, waits for it to register itself. */
export function waitForWallet(name: string): Promise<Wallet | undefined> {
  const { promise, resolve } = Promise.withResolvers<Wallet | undefined>()
  const check = (): void => {
    const wallet = findWallet(name)
    if (wallet) resolve(wallet)
  }
  const stop = wallets.subscribe(check)
  const timer = setTimeout(resolve, loadedAt + WALLET_WAIT_MS - performance.now())
  check()
  return promise.finally(() => {
    stop()
    clearTimeout(timer)
  })
}

export const lastWalletName = (): string | null => browserStorage.getItem(WALLET_NAME_KEY)

let stopListening: (() => void) | undefined

/**
 * Connects and returns the first account, or null. `silent` reconnects the wallet that was last used: it shows no prompt and
 * succeeds only if the wallet trusts this site. A wallet that answers after `cancelled` was aborted is not connected.
 */
export async function connect(
  wallet: Wallet,
  { silent, cancelled }: { silent: boolean; cancelled?: AbortSignal },
): Promise<WalletAccount | null> {
  const features = featuresOf(wallet)
  const { accounts: connectedAccounts } = await features['standard:connect'].connect(
    silent ? { silent: true } : undefined,
  )
  cancelled?.throwIfAborted()
  const account = connectedAccounts[0] ?? null
  // A locked wallet may answer only after the player has connected another one, here or in another tab.
  if (!account || (silent && lastWalletName() !== wallet.name)) return null
  stopListening?.()
  stopListening = features['standard:events']?.on('change', ({ accounts }) => {
    if (!accounts) return
    const next = accounts[0]
    wallets.set({ ...wallets.get(), connected: next ? { wallet, account: next } : null })
  })
  browserStorage.setItem(WALLET_NAME_KEY, wallet.name)
  wallets.set({ ...wallets.get(), connected: { wallet, account } })
  return account
}

export async function disconnect(): Promise<void> {
  const { connected } = wallets.get()
  stopListening?.()
  stopListening = undefined
  wallets.set({ ...wallets.get(), connected: null })
  if (connected) await featuresOf(connected.wallet)['standard:disconnect']?.disconnect()
}
