import LogOut from 'lucide-react/icons/log-out'
import Menu from 'lucide-react/icons/menu'
import boll from '#web/art/boll.svg'
import { consoleMessages } from '#web/messages/en-console.ts'
import { useStore } from '#web/store.ts'
import { shortAddress } from '#web/ui/short-address.ts'
import { session } from '../api/session.ts'
import { logOut } from '../api/sign-in.ts'
import { useGame } from '../api/use-game.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { LiveBadge } from './live-badge.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import styles from './top-bar.module.css'

type TopBarProps = {
  menuOpen: boolean
  onMenu: () => void
}

/** Which game this is, who is logged in, and whether the pages are up to date. */
export function TopBar({ menuOpen, onMenu }: TopBarProps) {
  const { operator } = useStore(session)
  const game = useGame()
  return (
    <header className={styles.bar}>
      <Button
        kind="quiet"
        className={styles.menu}
        aria-expanded={menuOpen}
        aria-controls="pages"
        icon={<Menu aria-hidden="true" />}
        onClick={onMenu}
      >
        {consoleMessages.menu}
      </Button>
      <div className={styles.brand}>
        <img src={boll} width="24" height="24" alt="" />
        <span className={styles.name}>{game?.product ?? consoleMessages.product}</span>
        <span className={styles.place}>{consoleMessages.name}</span>
        {game ? <Badge tone={game.cluster === 'mainnet' ? 'bad' : 'plain'}>{game.cluster}</Badge> : null}
      </div>
      <div className={styles.end}>
        <LiveBadge />
        <ThemeChoice />
        {operator ? (
          <span className={styles.operator} title={`${operator.wallet}: ${operator.rights.join(', ')}`}>
            <span className="vh">{consoleMessages.operator(operator.name)}</span>
            <span aria-hidden="true">{operator.name}</span>
            <span className={styles.wallet}>{shortAddress(operator.wallet)}</span>
          </span>
        ) : null}
        <Button
          kind="quiet"
          className={styles.out}
          icon={<LogOut aria-hidden="true" />}
          onClick={() => void logOut()}
        >
          <span className={styles.outText}>{consoleMessages.logOut}</span>
        </Button>
      </div>
    </header>
  )
}
