import { Navigate, Route, Routes } from 'react-router'
import { lazyPreloadable } from '#web/lazy-preloadable.tsx'
import { paths } from '#web/paths.ts'
import { guideWanted } from '#web/shell/guide-store.ts'
import { FirstSteps, AppLayout } from '#web/shell/load-layout.ts'
import { Shell } from '#web/shell/shell.tsx'

const Hero = lazyPreloadable(() => import('#web/pages/hero/hero-page.tsx'))
const BuyPickers = lazyPreloadable(() => import('#web/pages/buy-pickers/buy-pickers-page.tsx'))
const MyFarm = lazyPreloadable(() => import('#web/pages/my-farm/my-farm-page.tsx'))
const World = lazyPreloadable(() => import('#web/pages/world/world-page.tsx'))
const Parcels = lazyPreloadable(() => import('#web/pages/parcels/parcels-page.tsx'))
const Marketplace = lazyPreloadable(() => import('#web/pages/market/marketplace-page.tsx'))
const Profile = lazyPreloadable(() => import('#web/pages/profile/profile-page.tsx'))
const Workers = lazyPreloadable(() => import('#web/pages/workers/workers-page.tsx'))
const Terms = lazyPreloadable(() => import('#web/pages/terms/terms-page.tsx'))
const Transparency = lazyPreloadable(() => import('#web/pages/transparency/transparency-page.tsx'))
const NotFound = lazyPreloadable(() => import('#web/pages/not-found/not-found-page.tsx'))

const PAGES: Readonly<Record<string, { load: () => Promise<unknown> }>> = {
  [paths.hero]: Hero,
  [paths.buyPickers]: BuyPickers,
  [paths.myFarm]: MyFarm,
  [paths.world]: World,
  [paths.continent]: Parcels,
  [paths.marketplace]: Marketplace,
  [paths.profile]: Profile,
  [paths.workers]: Workers,
  [paths.ownedWorkers]: Workers,
  [paths.terms]: Terms,
  [paths.transparency]: Transparency,
}

/** Fetches the code of a page before React asks for it, so that its parts arrive together; React says what failed. */
export async function loadPage(pathname: string): Promise<void> {
  const path = pathname.startsWith(`${paths.world}/`) ? paths.continent : pathname
  const onHero = pathname === paths.hero
  await Promise.allSettled([
    onHero ? null : AppLayout.load(),
    onHero || !guideWanted.get() ? null : FirstSteps.load(),
    Object.hasOwn(PAGES, path) ? PAGES[path]!.load() : null,
  ])
}

export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Shell />}>
        <Route path={paths.hero} element={<Hero onIntent={() => void loadPage(paths.buyPickers)} />} />
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
