import { Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { readSession } from '#contract/console/session.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { Toasts } from '#web/ui/toasts.tsx'
import { useLocalTestWallet } from '#web/wallet/use-local-test-wallet.ts'
import { watchWalletAccount } from '../login/watch-wallet-account.ts'
import { useLivePolling } from '../api/live.ts'
import { useRead } from '../api/queries.ts'
import { updateOperator } from '../api/session.ts'
import { useGame } from '../api/use-game.ts'
import { useIdleEnd } from '../api/use-idle-end.ts'
import { warnBeforeEnd } from '../api/warn-before-end.ts'
import { NavBar } from './nav-bar.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { StaleNotice } from './stale-notice.tsx'
import styles from './shell.module.css'
import { TopBar } from './top-bar.tsx'

const SESSION_EVERY_MS = 60_000

/** The frame of every page: menu, top bar, and whether what is shown is up to date. */
export function Shell() {
  useLivePolling()
  useIdleEnd()
  useLocalTestWallet(useGame()?.cluster === 'local')
  useEffect(watchWalletAccount, [])
  const { pathname } = useLocation()
  /** The page on which the menu was opened: a navigation closes it. */
  const [openedOn, setOpenedOn] = useState<string | null>(null)
  const menuOpen = openedOn === pathname
  const main = useRef<HTMLElement>(null)
  const current = useRead(readSession, {}, { everyMs: SESSION_EVERY_MS })
  useEffect(() => {
    if (current.data) updateOperator(current.data.operator)
  }, [current.data])
  const endsAt = current.data?.endsAt
  useEffect(() => (endsAt === undefined ? undefined : warnBeforeEnd(endsAt)), [endsAt])

  return (
    <div className={styles.shell}>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {consoleMessages.skip}
      </a>
      <TopBar menuOpen={menuOpen} onMenu={() => setOpenedOn(menuOpen ? null : pathname)} />
      <NavBar open={menuOpen} />
      <main className={styles.main} id="main" tabIndex={-1} ref={main}>
        <StaleNotice />
        <PageBoundary key={pathname}>
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </PageBoundary>
      </main>
      <Toasts />
    </div>
  )
}
