import { Navigate, Route, Routes } from 'react-router'
import { later } from '#web/later.tsx'
import { paths } from '#web/paths.ts'
import { guide } from '#web/shell/guide-store.ts'
import { FirstSteps, Inside } from '#web/shell/load-inside.ts'
import { Shell } from '#web/shell/shell.tsx'

const Hero = later(() => import('#web/pages/hero/hero-page.tsx'))
const BuyPickers = later(() => import('#web/pages/buy-pickers/buy-pickers-page.tsx'))
const MyFarm = later(() => import('#web/pages/my-farm/my-farm-page.tsx'))
const World = later(() => import('#web/pages/world/world-page.tsx'))
const Parcels = later(() => import('#web/pages/parcels/parcels-page.tsx'))
const Marketplace = later(() => import('#web/pages/market/marketplace-page.tsx'))
const Profile = later(() => import('#web/pages/profile/profile-page.tsx'))
const Workers = later(() => import('#web/pages/workers/workers-page.tsx'))
const Terms = later(() => import('#web/pages/terms/terms-page.tsx'))
const Transparency = later(() => import('#web/pages/transparency/transparency-page.tsx'))
const NotFound = later(() => import('#web/pages/not-found/not-found-page.tsx'))

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
    onHero ? null : Inside.load(),
    onHero || !guide.get() ? null : FirstSteps.load(),
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
