import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { queryClient } from '#web/api/query-client.ts'
import { useSession } from '#web/api/session.ts'
import { useMarketOpen } from '#web/api/use-market-open.ts'
import { useNewsLine } from '#web/realtime/use-news-line.ts'
import { ConnectionNote } from './connection-note.tsx'
import { behindMenu } from './use-drawer.ts'
import styles from './shell.module.css'
import { SideMenu } from './side-menu.tsx'
import { SpokenBalance } from './spoken-balance.tsx'
import { TopBar } from './top-bar.tsx'
import { useAway } from './use-away.ts'

const SoldWatch = lazy(() => import('./sold-watch.tsx').then((module) => ({ default: module.SoldWatch })))
const WhileAway = lazy(() => import('./while-away.tsx').then((module) => ({ default: module.WhileAway })))

/** What stands around every page but the hero. */
export function Inside({ children }: { children: ReactNode }) {
  useNewsLine()
  return (
    <QueryClientProvider client={queryClient}>
      <TopBar />
      <SpokenBalance />
      <Returning />
      <div className={styles.app}>
        <SideMenu drawer={false} />
        <main className={styles.main} id="main" tabIndex={-1} {...behindMenu}>
          <div className={styles.inside}>{children}</div>
        </main>
      </div>
      <ConnectionNote />
      <Seller />
    </QueryClientProvider>
  )
}

/** Only who is logged in, while land is traded, can sell. */
function Seller() {
  const { loggedIn } = useSession()
  const open = useMarketOpen() ?? false
  return <Suspense fallback={null}>{loggedIn && open ? <SoldWatch /> : null}</Suspense>
}

/** Only who has played in this browser before can come back to it. */
function Returning() {
  const back = useAway()
  return <Suspense fallback={null}>{back ? <WhileAway key={back.since} {...back} /> : null}</Suspense>
}

/** The menu of the hero, where it is a drawer at every width. */
export function HeroDrawer() {
  return (
    <QueryClientProvider client={queryClient}>
      <SideMenu drawer />
    </QueryClientProvider>
  )
}
