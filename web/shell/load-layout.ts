import { lazyPreloadable } from '#web/lazy-preloadable.tsx'

const importLayout = () => import('./app-layout.tsx')

/** The layout with menu and query client. Every page except the hero needs it. */
export const AppLayout = lazyPreloadable(async () => ({ default: (await importLayout()).AppLayout }))
export const HeroDrawer = lazyPreloadable(async () => ({ default: (await importLayout()).HeroDrawer }))

/** The first steps, shown on most pages until they are finished. */
export const FirstSteps = lazyPreloadable(async () => ({ default: (await import('./guide.tsx')).FirstSteps }))
