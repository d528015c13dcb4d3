import type { Wallet } from '@wallet-standard/base'
import { useEffect } from 'react'
import { createStore, useStore } from '#web/store.ts'
import { LOCAL_TEST_WALLET, wallets } from './wallets.ts'

let registering: Promise<void> | undefined

/**
 * Whether the test wallet could not be made: its code was not loaded, or the browser makes no key. Old ones make none, others
 * only for pages at localhost or over https.
 */
export const testWalletFailed = createStore(false)

/** The test wallet of the local chain; undefined on other chains, and until its code has loaded. */
export function useLocalTestWallet(isLocal: boolean): Wallet | undefined {
  useEffect(() => {
    if (!isLocal) return
    registering ??= import('./local-test-wallet.ts').then((module) => module.registerLocalTestWallet())
    registering.catch(() => {
      registering = undefined
      testWalletFailed.set(true)
    })
  }, [isLocal])
  return useStore(wallets).wallets.find((wallet) => wallet.name === LOCAL_TEST_WALLET)
}
