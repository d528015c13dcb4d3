import { later } from '#web/later.tsx'

const inside = () => import('./inside.tsx')

/** The menu and the query library: everything but the hero needs them. */
export const Inside = later(async () => ({ default: (await inside()).Inside }))
export const HeroDrawer = later(async () => ({ default: (await inside()).HeroDrawer }))

/** The first steps, which most pages begin with until they are done. */
export const FirstSteps = later(async () => ({ default: (await import('./guide.tsx')).FirstSteps }))
