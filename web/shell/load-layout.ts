import { lazyPreloadable } from '#web/lazy-preloadable.tsx'

const importLayout = () => import('./app-layout.tsx')

/** The menu and the query library: everything but the hero needs them. */
export const AppLayout = lazyPreloadable(async () => ({ default: (await importLayout()).AppLayout }))
export const HeroDrawer = lazyPreloadable(async () => ({ default: (await importLayout()).HeroDrawer }))

/** The first steps, which most pages begin with until they are done. */
export const FirstSteps = lazyPreloadable(async () => ({ default: (await import('./guide.tsx')).FirstSteps }))
