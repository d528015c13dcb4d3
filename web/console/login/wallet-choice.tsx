import type { Wallet } from '@wallet-standard/base'
import WalletIcon from 'lucide-react/icons/wallet'
import { useState } from 'react'
import { consoleMessages } from '#web/messages/en-console.ts'
import { walletMessages } from '#web/messages/en-wallets.ts'
import { useStore } from '#web/store.ts'
import { hardwareWallet, setHardwareWallet } from '#web/wallet/hardware-wallet.ts'
import { lastWalletName } from '#web/wallet/wallets.ts'
import { Button } from '../ui/button.tsx'
import styles from './login-page.module.css'

type WalletChoiceProps = {
  found: readonly Wallet[]
  testWallet: Wallet | undefined
  /** The name of the wallet that has been chosen and has not answered yet. */
  waitingFor: string | null
  onChoose: (wallet: Wallet) => void
}

/** The wallets of this browser that can sign, the last used first. */
export function WalletChoice({ found, testWallet, waitingFor, onChoose }: WalletChoiceProps) {
  const last = lastWalletName()
  const rows = found.toSorted((a, b) => Number(b.name === last) - Number(a.name === last))
  const row = (wallet: Wallet, text: string) => (
    <Button
      block
      kind={wallet === testWallet ? 'main' : 'plain'}
      className={styles.row}
      busy={waitingFor === wallet.name}
      ariaDisabled={waitingFor !== null && waitingFor !== wallet.name}
      icon={<Icon src={wallet.icon} />}
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
      {testWallet ? (
        <div className={styles.local}>
          <p className="soft">{consoleMessages.login.testWalletText}</p>
          {row(testWallet, consoleMessages.login.testWallet)}
          <p className={styles.address}>
            {consoleMessages.login.address}: <span className="mono">{testWallet.accounts[0]?.address}</span>
          </p>
        </div>
      ) : null}
      {rows.length === 0 && !testWallet ? <p>{consoleMessages.login.noWallet}</p> : null}
      {rows.some(({ features }) => 'solana:signTransaction' in features) ? <HardwareChoice /> : null}
    </>
  )
}

function Icon({ src }: { src: string }) {
  const [broken, setBroken] = useState(!src.startsWith('data:image/'))
  if (broken) return <WalletIcon aria-hidden="true" />
  return <img src={src} width="24" height="24" alt="" onError={() => setBroken(true)} />
}

function HardwareChoice() {
  const isHardware = useStore(hardwareWallet)
  return (
    <label className={styles.hardware}>
      <input
        type="checkbox"
        checked={isHardware}
        onChange={(event) => setHardwareWallet(event.target.checked)}
      />
      <span>
        {walletMessages.hardware}
        {isHardware ? <span className={styles.why}>{walletMessages.hardwareText}</span> : null}
      </span>
    </label>
  )
}
