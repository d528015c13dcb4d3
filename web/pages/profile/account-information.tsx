import LogOut from 'lucide-react/icons/log-out'
import Settings from 'lucide-react/icons/settings'
import Wallet from 'lucide-react/icons/wallet'
import { Link } from 'react-router'
import { formatCount } from '#game/cotton.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { useSession } from '#web/api/session.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { useWalletBalance } from '#web/api/use-wallet-balance.ts'
import coin from '#web/art/coin.svg'
import { workerArt } from '#web/art/worker-art.ts'
import { formatAmount } from '#web/messages/amount.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { profileMessages } from '#web/messages/en-profile.ts'
import { messages } from '#web/messages/en.ts'
import { paths } from '#web/paths.ts'
import { CopyButton } from '#web/popups/copy-button.tsx'
import { BalanceAmount } from '#web/shell/balance-amount.tsx'
import { openSettings } from '#web/shell/settings.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { CodeBox } from '#web/ui/code-box.tsx'
import { Panel } from '#web/ui/frame.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { shortAddress } from '#web/ui/short-address.ts'
import { logOut } from '#web/wallet/follow-wallet.ts'
import { faceOf } from './face-of.ts'
import styles from './profile.module.css'
import { useDepositAddress } from './use-deposit-address.ts'

export function AccountInformation() {
  const { walletAddress } = useSession()
  const balance = useBalance()
  return (
    <Panel title={profileMessages.account} id="account">
      <div className={styles.identity}>
        <Avatar picture={workerArt[faceOf(walletAddress ?? '')].face} />
        <div className={styles.grow}>
          <p className={styles.balanceLabel}>{depositMessages.inGame}</p>
          <p className={`${styles.balance} num`}>
            <img src={coin} width="40" height="40" alt="" />
            <BalanceAmount balance={balance} /> <small>{messages.unit}</small>
          </p>
        </div>
      </div>
      <div className={styles.rowsIn}>
        <InWallet />
        <Pickers />
        <div className={styles.row}>
          <span className={styles.rowLabel}>{profileMessages.walletLabel}</span>
          <CodeBox>
            <Wallet size={20} color="var(--plum-500)" aria-hidden="true" />
            <b className={styles.short}>{shortAddress(walletAddress ?? '')}</b>
            <Button size="sm" icon={<LogOut aria-hidden="true" />} onClick={() => void logOut()}>
              {messages.wallet.logOut}
            </Button>
          </CodeBox>
        </div>
        <div className={styles.row}>
          <span className={styles.rowLabel}>{profileMessages.depositAddress}</span>
          <DepositAddress />
        </div>
        <div className={styles.row}>
          <Button size="sm" block icon={<Settings aria-hidden="true" />} onClick={openSettings}>
            {messages.menu.settings}
          </Button>
        </div>
      </div>
    </Panel>
  )
}

/** What the wallet holds on the chain, and the way to deposit it. */
function InWallet() {
  const { data: inWallet } = useWalletBalance()
  return (
    <div className={`${styles.row} ${styles.line}`}>
      <span className={styles.rowLabel}>{depositMessages.inWallet}</span>
      <b className="num">
        <span>{formatAmount(inWallet ?? null)}</span> <small>{messages.unit}</small>
      </b>
      {inWallet ? (
        <Link className={buttonClass({ tone: 'sun', size: 'sm' })} to={paths.deposit}>
          {depositMessages.title}
        </Link>
      ) : null}
    </div>
  )
}

function Pickers() {
  const { data: workers } = useOwnedWorkers()
  return (
    <div className={`${styles.row} ${styles.line}`}>
      <span className={styles.rowLabel}>{profileMessages.pickers}</span>
      <b className="num">{workers ? formatCount(workers.length) : '–'}</b>
      <Link className={buttonClass({ size: 'sm' })} to={paths.ownedWorkers}>
        {profileMessages.allPickers}
      </Link>
    </div>
  )
}

function DepositAddress() {
  const address = useDepositAddress()
  const missing = address.isError
    ? getErrorMessage(address.error, profileMessages.addressFailed)
    : messages.loading
  return (
    <CodeBox>
      <span
        className={address.isError && !address.data ? styles.sentence : styles.oneLine}
        title={address.data}
      >
        {address.data ?? missing}
      </span>
      {address.data ? <CopyButton text={address.data} label={profileMessages.copy} /> : null}
      {address.isError ? <RetryButton size="sm" onClick={() => void address.refetch()} /> : null}
    </CodeBox>
  )
}
