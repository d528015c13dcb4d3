import type { ComponentType } from 'react'

/** The items of the side menu that lead to pages. */
export type MenuItem = 'buyPickers' | 'myFarm' | 'world' | 'marketplace' | 'profile' | 'transparency'

type Page = {
  /** Its address, as a pattern of React Router. */
  path: string
  /** Its module, imported by its full name: the build finds the page's files by that name. */
  load: () => Promise<{ default: ComponentType }>
  /** The item of the side menu that is current on this page. */
  menu: MenuItem | null
}

/**
 * Every page of the app. Routes, paths, the side menu and the prerendered files are made from these rows. Descriptions are in
 * `messages/en-page-heads.ts`, because the browser needs none of them; a page has its title itself.
 */
export const pages = {
  hero: { path: '/', load: () => import('#web/pages/hero/hero-page.tsx'), menu: 'buyPickers' },
  buyPickers: {
    path: '/buy-pickers',
    load: () => import('#web/pages/buy-pickers/buy-pickers-page.tsx'),
    menu: 'buyPickers',
  },
  myFarm: { path: '/myfarm', load: () => import('#web/pages/my-farm/my-farm-page.tsx'), menu: 'myFarm' },
  workers: { path: '/workers', load: () => import('#web/pages/workers/workers-page.tsx'), menu: 'myFarm' },
  ownedWorkers: {
    path: '/owned-workers',
    load: () => import('#web/pages/workers/workers-page.tsx'),
    menu: 'myFarm',
  },
  world: { path: '/parcels', load: () => import('#web/pages/world/world-page.tsx'), menu: 'world' },
  continent: {
    path: '/parcels/:regionId',
    load: () => import('#web/pages/parcels/parcels-page.tsx'),
    menu: 'buyPickers',
  },
  marketplace: {
    path: '/marketplace',
    load: () => import('#web/pages/market/marketplace-page.tsx'),
    menu: 'marketplace',
  },
  profile: { path: '/profile', load: () => import('#web/pages/profile/profile-page.tsx'), menu: 'profile' },
  terms: { path: '/terms', load: () => import('#web/pages/terms/terms-page.tsx'), menu: null },
  transparency: {
    path: '/transparency',
    load: () => import('#web/pages/transparency/transparency-page.tsx'),
    menu: 'transparency',
  },
  notFound: { path: '*', load: () => import('#web/pages/not-found/not-found-page.tsx'), menu: null },
} as const satisfies Record<string, Page>

export type PageName = keyof typeof pages
