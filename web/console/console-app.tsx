import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { useStore } from '#web/store.ts'
import { session } from './api/session.ts'
import { NotFound } from './not-found.tsx'
import { LoginPage } from './login/login-page.tsx'
import { Shell } from './shell/shell.tsx'

const page = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }))

const TodayPage = page(() => import('./pages/today/today-page.tsx'), 'TodayPage')
const WithdrawalsPage = page(() => import('./pages/withdrawals/withdrawals-page.tsx'), 'WithdrawalsPage')
const WithdrawalPage = page(() => import('./pages/withdrawals/withdrawal-page.tsx'), 'WithdrawalPage')
const DepositsPage = page(() => import('./pages/deposits/deposits-page.tsx'), 'DepositsPage')
const PlayersPage = page(() => import('./pages/players/players-page.tsx'), 'PlayersPage')
const PlayerPage = page(() => import('./pages/players/player-page.tsx'), 'PlayerPage')
const WorldPage = page(() => import('./pages/world/world-page.tsx'), 'WorldPage')
const BooksPage = page(() => import('./pages/books/books-page.tsx'), 'BooksPage')
const LedgerPage = page(() => import('./pages/ledger/ledger-page.tsx'), 'LedgerPage')
const LogPage = page(() => import('./pages/log/log-page.tsx'), 'LogPage')
const HealthPage = page(() => import('./pages/health/health-page.tsx'), 'HealthPage')

/** The console: the login without a session, otherwise the page of the address. */
export function ConsoleApp() {
  const { token } = useStore(session)
  if (token === null) return <LoginPage />
  return (
    <Suspense fallback={null}>
      <Routes>
        <Route element={<Shell />}>
          <Route path="/" element={<TodayPage />} />
          <Route path="/withdrawals" element={<WithdrawalsPage />} />
          <Route path="/withdrawals/:id" element={<WithdrawalPage />} />
          <Route path="/deposits" element={<DepositsPage />} />
          <Route path="/players" element={<PlayersPage />} />
          <Route path="/players/:wallet" element={<PlayerPage />} />
          <Route path="/world" element={<WorldPage />} />
          <Route path="/books" element={<BooksPage />} />
          <Route path="/ledger" element={<LedgerPage />} />
          <Route path="/log" element={<LogPage />} />
          <Route path="/health" element={<HealthPage />} />
          <Route path="*" element={<NotFound />} />
        </Route>
      </Routes>
    </Suspense>
  )
}
