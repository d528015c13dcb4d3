import { lazy } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { paths } from './paths.ts'
import { loadInside } from './shell/load-inside.ts'
import { Shell } from './shell/shell.tsx'

const load = {
  [paths.hero]: () => import('./pages/hero/hero-page.tsx'),
  [paths.buyPickers]: () => import('./pages/buy-pickers/buy-pickers-page.tsx'),
  [paths.myFarm]: () => import('./pages/my-farm/my-farm-page.tsx'),
  [paths.world]: () => import('./pages/world/world-page.tsx'),
  [paths.continent]: () => import('./pages/parcels/parcels-page.tsx'),
  [paths.marketplace]: () => import('./pages/market/marketplace-page.tsx'),
  [paths.profile]: () => import('./pages/profile/profile-page.tsx'),
  [paths.workers]: () => import('./pages/workers/workers-page.tsx'),
  [paths.ownedWorkers]: () => import('./pages/workers/workers-page.tsx'),
  [paths.terms]: () => import('./pages/terms/terms-page.tsx'),
  [paths.transparency]: () => import('./pages/transparency/transparency-page.tsx'),
}

const Hero = lazy(load[paths.hero])
const BuyPickers = lazy(load[paths.buyPickers])
const MyFarm = lazy(load[paths.myFarm])
const World = lazy(load[paths.world])
const Parcels = lazy(load[paths.continent])
const Marketplace = lazy(load[paths.marketplace])
const Profile = lazy(load[paths.profile])
const Workers = lazy(load[paths.workers])
const Terms = lazy(load[paths.terms])
const Transparency = lazy(load[paths.transparency])
const NotFound = lazy(() => import('./pages/not-found/not-found-page.tsx'))

const nothing = (): void => undefined

/** Starts to fetch the code of a page before React asks for it, so that its parts arrive together; React says what failed. */
export function loadPage(pathname: string): void {
  if (pathname !== paths.hero) loadInside().catch(nothing)
  const path = pathname.startsWith(`${paths.world}/`) ? paths.continent : pathname
  if (Object.hasOwn(load, path)) load[path as keyof typeof load]().catch(nothing)
}

export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Shell />}>
        <Route path={paths.hero} element={<Hero onIntent={() => loadPage(paths.buyPickers)} />} />
        <Route path={paths.buyPickers} element={<BuyPickers />} />
        <Route path={paths.myFarm} element={<MyFarm />} />
        <Route path={paths.world} element={<World />} />
        <Route path={paths.continent} element={<Parcels />} />
        <Route path={paths.marketplace} element={<Marketplace />} />
        <Route path={paths.profile} element={<Profile />} />
        <Route path={paths.workers} element={<Workers />} />
        <Route path={paths.ownedWorkers} element={<Workers />} />
        <Route path="/owned" element={<Navigate to={paths.ownedWorkers} replace />} />
        <Route path="/owned-land" element={<Navigate to={paths.ownedWorkers} replace />} />
        <Route path={paths.terms} element={<Terms />} />
        <Route path={paths.transparency} element={<Transparency />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  )
}
