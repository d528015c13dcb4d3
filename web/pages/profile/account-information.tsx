import { LogOut, Wallet } from 'lucide-react'
import { formatCotton } from '#game/cotton.ts'
import { useSession } from '#web/api/session.ts'
import { useBalance } from '#web/api/use-balance.ts'
import coin from '#web/art/coin.svg'
import { workerArt } from '#web/art/worker-art.ts'
import { CopyButton } from '#web/popups/copy-button.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { CodeBox } from '#web/ui/code-box.tsx'
import { Panel } from '#web/ui/frame.tsx'
import { shortAddress } from '#web/ui/short-address.ts'
import { logOut } from '#web/wallet/log-in.ts'
import { messages } from '#web/messages/en.ts'
import styles from './profile.module.css'
import { useDepositAddress } from './use-deposit-address.ts'

export function AccountInformation() {
  const { walletAddress } = useSession()
  const balance = useBalance()
  return (
    <Panel title={messages.profile.account} id="account">
      <div className={styles.identity}>
        <Avatar picture={workerArt.grandma.face} />
        <div className={styles.grow}>
          <p className={styles.balanceLabel}>{messages.profile.balance}</p>
          <p className={`${styles.balance} num`}>
            <img src={coin} width="40" height="40" alt="" />
            {balance === undefined ? '–' : formatCotton(balance)} <small>{messages.unit}</small>
          </p>
        </div>
      </div>
      <div className={styles.rowsIn}>
        <div className={styles.row}>
          <span className={styles.rowLabel}>{messages.profile.walletLabel}</span>
          <CodeBox>
            <Wallet size={20} color="var(--plum-500)" aria-hidden="true" />
            <b className={styles.short}>{shortAddress(walletAddress ?? '')}</b>
            <Button size="sm" icon={<LogOut aria-hidden="true" />} onClick={() => void logOut()}>
              {messages.wallet.logOut}
            </Button>
          </CodeBox>
        </div>
        <div className={styles.row}>
          <span className={styles.rowLabel}>{messages.profile.depositAddress}</span>
          <DepositAddress />
        </div>
      </div>
    </Panel>
  )
}

function DepositAddress() {
  const address = useDepositAddress()
  return (
    <CodeBox>
      <span
        className={address.isError && !address.data ? styles.sentence : styles.oneLine}
        title={address.data}
      >
        {address.data ?? (address.isError ? messages.profile.addressFailed : messages.loading)}
      </span>
      {address.data ? <CopyButton text={address.data} label={messages.profile.copy} /> : null}
      {address.isError ? (
        <Button size="sm" onClick={() => void address.refetch()}>
          {messages.tryAgain}
        </Button>
      ) : null}
    </CodeBox>
  )
}
