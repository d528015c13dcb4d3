import { Navigate, Route, Routes } from 'react-router'
import { type PageName, pages } from '#web/pages.ts'
import { paths } from '#web/paths.ts'
import { pageComponents } from '#web/shell/load-page.ts'
import { Shell } from '#web/shell/shell.tsx'

/** Earlier addresses of the player's workers. */
const REDIRECTS = ['/owned', '/owned-land']

export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Shell />}>
        {(Object.keys(pages) as PageName[]).map((name) => {
          const PageComponent = pageComponents[name]
          return <Route key={name} path={pages[name].path} element={<PageComponent />} />
        })}
        {REDIRECTS.map((path) => (
          <Route key={path} path={path} element={<Navigate to={paths.ownedWorkers} replace />} />
        ))}
      </Route>
    </Routes>
  )
}
