/** The menu and the query library: everything but the hero needs them. */
export const loadInside = () => import('./inside.tsx')
