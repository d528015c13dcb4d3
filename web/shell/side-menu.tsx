import Settings from 'lucide-react/icons/settings'
import { lazy, Suspense, useRef } from 'react'
import { Link } from 'react-router'
import { useBalance } from '#web/api/use-balance.ts'
import { useMarketOpen } from '#web/api/use-market-open.ts'
import { useSite } from '#web/api/use-site.ts'
import { SoundButton } from './sound-button.tsx'
import coin from '#web/art/coin.svg'
import basket from '#web/art/icons/basket.webp'
import farmer from '#web/art/icons/farmer.webp'
import map from '#web/art/icons/map.webp'
import scroll from '#web/art/icons/scroll.webp'
import tag from '#web/art/icons/tag.webp'
import tractor from '#web/art/icons/tractor.webp'
import logo from '#web/art/logo.svg'
import { XLogo } from '#web/art/x-logo.tsx'
import { type MenuItem, pages } from '#web/pages.ts'
import { paths } from '#web/paths.ts'
import { useStore } from '#web/store.ts'
import { SMALL_WINDOW } from '#web/window-size.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { CloseButton } from '#web/ui/close-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { messages } from '#web/messages/en.ts'
import { DepositButton, DepositLink } from './deposit-button.tsx'
import { AuthSplit } from './auth-split.tsx'
import { BalanceAmount } from './balance-amount.tsx'
import { useCurrentPage } from './find-page.ts'
import { closeMenu, menu, settingsOpen } from './menu-store.ts'
import { MENU_ID } from './menu-toggle.tsx'
import styles from './side-menu.module.css'
import { closeSettings, openSettings } from './settings.ts'
import { SocialLinks } from './social-links.tsx'
import { useDrawer } from './use-drawer.ts'
import { WalletButton } from './wallet-button.tsx'

const SettingsSheet = lazy(() =>
  import('./settings-sheet.tsx').then((module) => ({ default: module.SettingsSheet })),
)

const closeOnSmallWindow = (): void => {
  if (window.matchMedia(SMALL_WINDOW).matches) closeMenu()
}

/** The side menu. It is a drawer on small windows, and on the hero at every width (`drawer`). */
export function SideMenu({ drawer }: { drawer: boolean }) {
  const open = useStore(menu)
  const aside = useRef<HTMLElement>(null)
  const marketOpen = useMarketOpen() ?? false
  const settings = useStore(settingsOpen)

  useDrawer(open, aside)

  return (
    <>
      {open ? (
        <button
          className={classNames(styles.scrimOpen, drawer && styles.scrimDrawer)}
          type="button"
          tabIndex={-1}
          aria-label={messages.menu.close}
          onClick={closeMenu}
        />
      ) : null}
      <aside
        className={classNames(styles.sideMenu, drawer && styles.drawer, open && styles.open)}
        id={MENU_ID}
        aria-label={messages.menu.label}
        ref={aside}
      >
        <Link className={styles.logo} to={paths.hero} onClick={closeOnSmallWindow}>
          <img src={logo} width="700" height="300" alt={messages.menu.home} />
        </Link>
        <CloseButton label={messages.menu.close} className={styles.closePlace} onClick={closeMenu} />
        <div className={classNames(styles.boardIn, styles.board)}>
          <WalletButton block onPress={closeOnSmallWindow} />
          <BalanceOrDeposit />
          <nav className={styles.menu} aria-label={messages.menu.game}>
            <Item page="buyPickers" picture={basket} />
            <Item page="myFarm" picture={tractor} />
            <Item page="world" picture={map} />
            <Item page="marketplace" picture={tag} hidden={!marketOpen} />
            <Item page="profile" picture={farmer} />
            <Item page="transparency" picture={scroll} />
            <FollowUs />
          </nav>
          <MenuFooter />
        </div>
      </aside>
      {settings ? <SettingsOrReload /> : null}
    </>
  )
}

function BalanceOrDeposit() {
  return <AuthSplit visitor={<DepositButton />} player={<Balance />} />
}

function Balance() {
  const balance = useBalance()
  return (
    <div className={styles.balance}>
      <div className={styles.balanceRow}>
        <img src={coin} width="64" height="64" alt="" />
        <p className={styles.balanceAmount}>
          <span className="vh">{messages.menu.balance}</span>
          <BalanceAmount balance={balance} /> <small>{messages.unit}</small>
        </p>
      </div>
      <DepositLink onFollow={closeOnSmallWindow} />
    </div>
  )
}

type ItemProps = { page: MenuItem; picture: string; hidden?: boolean }

function Item({ page, picture, hidden = false }: ItemProps) {
  const active = pages[useCurrentPage()].menu === page
  return (
    <Link
      className={classNames(styles.item, active && styles.active)}
      to={paths[page]}
      hidden={hidden}
      aria-current={active ? 'page' : undefined}
      onClick={closeOnSmallWindow}
    >
      <img src={picture} width="36" height="36" alt="" />
      {messages.menu[page]}
    </Link>
  )
}

function FollowUs() {
  const xUrl = useSite()?.xUrl
  if (!xUrl) return null
  return (
    <a
      className={styles.item}
      href={xUrl}
      target="_blank"
      rel="noopener noreferrer"
      onClick={closeOnSmallWindow}
    >
      <span className={styles.icon}>
        <XLogo />
      </span>
      {messages.menu.follow}
      <span className="vh">{messages.menu.followHint}</span>
    </a>
  )
}

function MenuFooter() {
  return (
    <div className={styles.foot}>
      <SoundButton tone="wood" />
      <SocialLinks tone="wood" onFollow={closeOnSmallWindow} />
      <Button tone="wood" size="icon" aria-label={messages.menu.settings} onClick={openSettings}>
        <Settings aria-hidden="true" />
      </Button>
      <Link className={styles.terms} to={paths.terms} onClick={closeOnSmallWindow}>
        {messages.menu.terms}
      </Link>
    </div>
  )
}

/** The settings. If their code fails to load, a dialog in their place asks to reload the page. */
function SettingsOrReload() {
  const failed = (
    <Dialog
      title={messages.menu.settings}
      text={messages.errors.notLoaded}
      onClose={closeSettings}
      actions={<Button onClick={() => window.location.reload()}>{messages.errors.reload}</Button>}
    />
  )
  return (
    <ErrorBoundary fallback={failed}>
      <Suspense fallback={null}>
        <SettingsSheet />
      </Suspense>
    </ErrorBoundary>
  )
}
