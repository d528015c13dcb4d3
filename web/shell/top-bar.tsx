import { Link } from 'react-router'
import { useBalance } from '#web/api/use-balance.ts'
import { useSession } from '#web/api/session.ts'
import coin from '#web/art/coin.svg'
import logo from '#web/art/logo.svg'
import { paths } from '#web/paths.ts'
import { messages } from '#web/messages/en.ts'
import { AuthSplit } from './auth-split.tsx'
import { BalanceAmount } from './balance-amount.tsx'
import { MenuToggle } from './menu-toggle.tsx'
import { behindMenu } from './behind-menu.ts'
import styles from './top-bar.module.css'
import { WalletButton } from './wallet-button.tsx'

/** The top bar of small windows: menu, logo, balance, wallet. */
export function TopBar() {
  const { loggedIn } = useSession()
  const balance = useBalance()
  return (
    <header className={styles.topbar} {...behindMenu}>
      <MenuToggle />
      <Link className={styles.logo} to={paths.hero}>
        <img src={logo} width="700" height="300" alt={messages.menu.home} />
      </Link>
      <span className={styles.space} />
      {loggedIn && balance !== undefined ? (
        <Link className={styles.pill} to={paths.profile} aria-label={messages.menu.balancePill(balance)}>
          <img src={coin} width="30" height="30" alt="" />
          <BalanceAmount balance={balance} />
        </Link>
      ) : null}
      <AuthSplit visitor={<WalletButton size="sm" />} player={<WalletButton size="icon" />} />
    </header>
  )
}
