import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '#web/api/query-client.ts'
import { useNewsLine } from '#web/realtime/use-news-line.ts'
import { behindMenu } from './use-drawer.ts'
import styles from './shell.module.css'
import { SideMenu } from './side-menu.tsx'
import { TopBar } from './top-bar.tsx'

/** What stands around every page but the hero. */
export function Inside({ children }: { children: ReactNode }) {
  useNewsLine()
  return (
    <QueryClientProvider client={queryClient}>
      <TopBar />
      <div className={styles.app}>
        <SideMenu drawer={false} />
        <main className={styles.main} id="main" tabIndex={-1} {...behindMenu}>
          <div className={styles.inside}>{children}</div>
        </main>
      </div>
    </QueryClientProvider>
  )
}

/** The menu of the hero, where it is a drawer at every width. */
export function HeroDrawer() {
  return (
    <QueryClientProvider client={queryClient}>
      <SideMenu drawer />
    </QueryClientProvider>
  )
}
