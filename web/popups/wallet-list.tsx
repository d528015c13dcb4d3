import type { Wallet } from '@wallet-standard/base'
import { useEffect, useRef } from 'react'
import { useStore } from '#web/store.ts'
import { walletMessages } from '#web/messages/en-wallets.ts'
import { Button } from '#web/ui/button.tsx'
import { HardwareChoice } from '#web/wallet/hardware-choice.tsx'
import { WalletIcon } from '#web/wallet/wallet-icon.tsx'
import { findWallet, lastWalletName, PHANTOM, usableWallets, wallets } from '#web/wallet/wallets.ts'
import { loginPopup } from './login-store.ts'
import { logInFromList } from './use-log-in.ts'
import styles from './wallet-list.module.css'

/** The wallets of this browser that can sign, the last used first. A wallet that registers later appears at its end. */
export function WalletList() {
  const found = usableWallets(useStore(wallets))
  const { waitingFor } = useStore(loginPopup)
  const last = lastWalletName()
  const list = useRef<HTMLUListElement>(null)

  // The dialog was open before this code had loaded, or before the wallet registered.
  useEffect(() => {
    const first = list.current?.querySelector<HTMLElement>('[data-autofocus]')
    if (document.activeElement?.closest('dialog')) first?.focus({ preventScroll: true })
  }, [])

  return (
    <div className={styles.choice}>
      <p className={styles.heading}>{walletMessages.choose}</p>
      <ul className={styles.list} ref={list}>
        {lastUsedFirst(found, last).map((wallet, index) => (
          <li key={wallet.name}>
            <WalletRow
              wallet={wallet}
              isLast={wallet.name === last}
              waitingFor={waitingFor}
              takesFocus={index === 0 && findWallet(PHANTOM) === undefined}
            />
          </li>
        ))}
      </ul>
      <output className="vh">{waitingFor === null ? null : walletMessages.confirm(waitingFor)}</output>
      {found.some(({ features }) => 'solana:signTransaction' in features) ? (
        <HardwareChoice className={styles.hardware} textClass={styles.why} />
      ) : null}
    </div>
  )
}

function WalletRow({
  wallet,
  isLast,
  waitingFor,
  takesFocus,
}: {
  wallet: Wallet
  isLast: boolean
  waitingFor: string | null
  /** Whether the keyboard starts here: Phantom has a button of its own. */
  takesFocus: boolean
}) {
  const waits = waitingFor === wallet.name
  return (
    <Button
      block
      className={styles.row}
      busy={waits}
      ariaDisabled={waitingFor !== null && !waits}
      icon={<WalletIcon icon={wallet.icon} size={32} className={styles.icon} />}
      onClick={() => void logInFromList(wallet)}
      data-autofocus={takesFocus || undefined}
    >
      <span className={styles.name}>{waits ? walletMessages.confirm(wallet.name) : wallet.name}</span>
      {isLast && !waits ? <span className={styles.last}>{walletMessages.lastUsed}</span> : null}
    </Button>
  )
}

function lastUsedFirst(found: readonly Wallet[], last: string | null): Wallet[] {
  const isLast = ({ name }: Wallet): boolean => name === last
  return [...found.filter(isLast), ...found.filter((wallet) => !isLast(wallet))]
}
