import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { queryClient } from '#web/api/query-client.ts'
import { useSession } from '#web/api/session.ts'
import { useMarketOpen } from '#web/api/use-market-open.ts'
import { useChangeFeed } from '#web/realtime/use-change-feed.ts'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { LoadedPart } from '#web/ui/loaded-part.tsx'
import { FrozenPlace } from './frozen-place.tsx'
import { ConnectionNote } from './connection-note.tsx'
import { behindMenu } from './behind-menu.ts'
import './page-tokens.css'
import styles from './shell.module.css'
import { SideMenu } from './side-menu.tsx'
import { TabBar } from './tab-bar.tsx'
import { BalanceAnnouncer } from './balance-announcer.tsx'
import { TopBar } from './top-bar.tsx'
import { ReturningPlayer } from './returning-player.tsx'
import { useNewLogin } from './use-new-login.ts'

const SaleNotifier = lazy(() =>
  import('./sale-notifier.tsx').then((module) => ({ default: module.SaleNotifier })),
)
const LoginNotice = lazy(() =>
  import('./login-notice.tsx').then((module) => ({ default: module.LoginNotice })),
)

/** The layout around every page except the hero. */
export function AppLayout({ children }: { children: ReactNode }) {
  useChangeFeed()
  return (
    <QueryClientProvider client={queryClient}>
      <TopBar />
      <BalanceAnnouncer />
      <ErrorBoundary>
        <ReturningPlayer />
      </ErrorBoundary>
      <div className={styles.app}>
        <SideMenu drawer={false} />
        <main className={styles.main} id="main" tabIndex={-1} {...behindMenu}>
          <div className={styles.content}>
            <FrozenPlace />
            {children}
          </div>
        </main>
      </div>
      <TabBar />
      <ConnectionNote />
      <ErrorBoundary>
        <SellerNotifications />
      </ErrorBoundary>
      <ErrorBoundary>
        <Celebrations />
      </ErrorBoundary>
      <ErrorBoundary>
        <LoginNotices />
      </ErrorBoundary>
    </QueryClientProvider>
  )
}

/** Sales happen only to players who are logged in, and only while a market is open. */
function SellerNotifications() {
  const { loggedIn } = useSession()
  const open = useMarketOpen() ?? false
  return <Suspense fallback={null}>{loggedIn && open ? <SaleNotifier /> : null}</Suspense>
}

const loadCelebrations = () =>
  import('#web/goals/milestone-celebrations.tsx').then((module) => module.MilestoneCelebrations)

/** New milestones of a player. Their code is loaded after the page. */
function Celebrations() {
  const { loggedIn } = useSession()
  return <LoadedPart load={loadCelebrations} props={loggedIn ? {} : null} />
}

/** Logins on other devices. The notice is loaded when there is one. */
function LoginNotices() {
  const { login, dismiss } = useNewLogin()
  return <Suspense fallback={null}>{login ? <LoginNotice login={login} dismiss={dismiss} /> : null}</Suspense>
}

/** The menu of the hero, where it is a drawer at every width. */
export function HeroDrawer() {
  return (
    <QueryClientProvider client={queryClient}>
      <SideMenu drawer />
    </QueryClientProvider>
  )
}
