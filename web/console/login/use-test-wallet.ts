import type { Wallet } from '@wallet-standard/base'
import { useEffect } from 'react'
import { useStore } from '#web/store.ts'
import { LOCAL_TEST_WALLET, wallets } from '#web/wallet/wallets.ts'
import { useGame } from '../api/use-game.ts'

let registering: Promise<void> | undefined

/** The test wallet of the local chain; undefined on other chains, and until its code has loaded. */
export function useTestWallet(): Wallet | undefined {
  const isLocal = useGame()?.cluster === 'local'
  useEffect(() => {
    if (!isLocal) return
    registering ??= import('#web/wallet/local-test-wallet.ts').then((module) =>
      module.registerLocalTestWallet(),
    )
    registering.catch(() => {
      registering = undefined
    })
  }, [isLocal])
  return useStore(wallets).wallets.find(({ name }) => name === LOCAL_TEST_WALLET)
}
