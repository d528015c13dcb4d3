import type { Wallet } from '@wallet-standard/base'
import { consoleMessages } from '#web/messages/en-console.ts'
import { walletMessages } from '#web/messages/en-wallets.ts'
import { messages } from '#web/messages/en.ts'
import { HardwareChoice } from '#web/wallet/hardware-choice.tsx'
import { WalletIcon } from '#web/wallet/wallet-icon.tsx'
import { lastWalletName } from '#web/wallet/wallets.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import styles from './login-page.module.css'

type WalletChoiceProps = {
  found: readonly Wallet[]
  testWallet: Wallet | undefined
  /** Whether this browser could not make it. */
  testWalletFailed: boolean
  /** The name of the wallet that has been chosen and has not answered yet. */
  waitingFor: string | null
  onChoose: (wallet: Wallet) => void
}

/** The wallets of this browser that can sign, the last used first. */
export function WalletChoice({
  found,
  testWallet,
  testWalletFailed,
  waitingFor,
  onChoose,
}: WalletChoiceProps) {
  const last = lastWalletName()
  const rows = found.toSorted((a, b) => Number(b.name === last) - Number(a.name === last))
  const row = (wallet: Wallet, text: string) => (
    <Button
      block
      kind={wallet === testWallet ? 'main' : 'plain'}
      className={styles.row}
      busy={waitingFor === wallet.name}
      ariaDisabled={waitingFor !== null && waitingFor !== wallet.name}
      icon={<WalletIcon icon={wallet.icon} size={24} />}
      onClick={() => onChoose(wallet)}
    >
      <span className={styles.name}>
        {waitingFor === wallet.name ? walletMessages.confirm(wallet.name) : text}
      </span>
      {wallet.name === last && waitingFor === null ? (
        <span className={styles.last}>{walletMessages.lastUsed}</span>
      ) : null}
    </Button>
  )
  return (
    <>
      {rows.length > 0 ? (
        <ul className={styles.list} aria-label={walletMessages.choose}>
          {rows.map((wallet) => (
            <li key={wallet.name}>{row(wallet, wallet.name)}</li>
          ))}
        </ul>
      ) : null}
      {/* A new name of the button that has the focus is not read by every screen reader. */}
      <output className="vh">{waitingFor === null ? null : walletMessages.confirm(waitingFor)}</output>
      {testWallet ? (
        <div className={styles.local}>
          <p className="soft">{consoleMessages.login.testWalletText}</p>
          {row(testWallet, consoleMessages.login.testWallet)}
          <p className={styles.address}>
            {consoleMessages.login.address}: <span className="mono">{testWallet.accounts[0]?.address}</span>
          </p>
        </div>
      ) : testWalletFailed ? (
        <Notice tone="warn" role="alert">
          {messages.login.localFailed}
        </Notice>
      ) : null}
      {rows.length === 0 && !testWallet ? <p>{consoleMessages.login.noWallet}</p> : null}
      {rows.some(({ features }) => 'solana:signTransaction' in features) ? (
        <HardwareChoice className={styles.hardware} textClass={styles.why} />
      ) : null}
    </>
  )
}
