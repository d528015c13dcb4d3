import type { Wallet } from '@wallet-standard/base'
import { useEffect } from 'react'
import { useChain } from '#web/api/use-chain.ts'
import { useStore } from '#web/store.ts'
import { LOCAL_TEST_WALLET, wallets } from './wallets.ts'

let registering: Promise<void> | undefined

/** The test wallet of the local chain; undefined on other chains, and until its code has loaded. */
export function useLocalTestWallet(): Wallet | undefined {
  const cluster = useChain()?.cluster
  useEffect(() => {
    if (cluster !== 'local') return
    registering ??= import('./local-test-wallet.ts').then((module) => module.registerLocalTestWallet())
    registering.catch(() => {
      registering = undefined
    })
  }, [cluster])
  return useStore(wallets).wallets.find((wallet) => wallet.name === LOCAL_TEST_WALLET)
}
