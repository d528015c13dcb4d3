import type { ContinentCode } from '#game/continents.ts'

/** Every address of the app that the app itself links to. */
export const paths = {
  hero: '/',
  buyPickers: '/buy-pickers',
  myFarm: '/myfarm',
  workers: '/workers',
  ownedWorkers: '/owned-workers',
  world: '/parcels',
  continent: '/parcels/:regionId',
  marketplace: '/marketplace',
  profile: '/profile',
  deposit: '/profile?section=deposit',
  ownedLand: '/profile#owned-land',
  terms: '/terms',
  transparency: '/transparency',
} as const

/** The page of a continent's land (S-03). */
export const continentPath = (code: ContinentCode): string => `${paths.world}/${code}`

/** Up to this width (px) the side menu is a drawer (spec §9). */
export const MOBILE_MAX_PX = 768
