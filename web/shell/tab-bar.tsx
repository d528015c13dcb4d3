import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatCotton } from '#game/cotton.ts'
import { useReady } from '#web/api/use-ready.ts'
import { useSession } from '#web/api/session.ts'
import { useMarketOpen } from '#web/api/use-market-open.ts'
import basket from '#web/art/icons/basket.webp'
import farmer from '#web/art/icons/farmer.webp'
import map from '#web/art/icons/map.webp'
import tag from '#web/art/icons/tag.webp'
import tractor from '#web/art/icons/tractor.webp'
import { formatShort } from '#web/messages/amount.ts'
import { tabMessages } from '#web/messages/en-tabs.ts'
import { type MenuItem, type PageName, pages } from '#web/pages.ts'
import { paths } from '#web/paths.ts'
import { useMedia } from '#web/use-media.ts'
import { SMALL_WINDOW } from '#web/window-size.ts'
import { classNames } from '#web/ui/class-names.ts'
import { useCurrentPage } from './find-page.ts'
import styles from './tab-bar.module.css'
import { behindMenu } from './behind-menu.ts'

/** Land belongs to Buy Pickers in the side menu (S-09), and to the world here. */
const tabOf = (page: PageName): MenuItem | null => (page === 'continent' ? 'world' : pages[page].menu)

/** The main pages of small windows, within reach of the thumb. */
export function TabBar() {
  const current = tabOf(useCurrentPage())
  const marketOpen = useMarketOpen() ?? false
  return (
    <nav className={styles.bar} aria-label={tabMessages.label} {...behindMenu}>
      <Tab page="myFarm" picture={tractor} current={current}>
        <ReadyBadge />
      </Tab>
      <Tab page="buyPickers" picture={basket} current={current} />
      <Tab page="world" picture={map} current={current} />
      {marketOpen ? <Tab page="marketplace" picture={tag} current={current} /> : null}
      <Tab page="profile" picture={farmer} current={current} />
    </nav>
  )
}

type TabProps = {
  page: Exclude<MenuItem, 'transparency'>
  picture: string
  current: MenuItem | null
  children?: ReactNode
}

function Tab({ page, picture, current, children }: TabProps) {
  const active = page === current
  return (
    <Link
      className={classNames(styles.tab, active && styles.active)}
      to={paths[page]}
      aria-current={active ? 'page' : undefined}
    >
      <img src={picture} width="36" height="36" alt="" />
      <span>{tabMessages[page]}</span>
      {children}
    </Link>
  )
}

/** What the player can claim. Only small windows read it. */
function ReadyBadge() {
  const { loggedIn } = useSession()
  const isSmall = useMedia(SMALL_WINDOW, false)
  return loggedIn && isSmall ? <ReadyAmount /> : null
}

function ReadyAmount() {
  const ready = useReady() ?? 0n
  if (ready === 0n) return null
  return (
    <>
      <b className={classNames('num', styles.badge)} aria-hidden="true">
        {formatShort(ready, 1)}
      </b>
      <span className="vh">{tabMessages.ready(formatCotton(ready))}</span>
    </>
  )
}
