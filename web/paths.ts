/** Every address of the app that the app itself links to. */
export const paths = {
  hero: '/',
  buyPickers: '/buy-pickers',
  myFarm: '/myfarm',
  workers: '/workers',
  ownedWorkers: '/owned-workers',
  marketplace: '/marketplace',
  profile: '/profile',
  deposit: '/profile?section=deposit',
  terms: '/terms',
} as const

/** Up to this width (px) the side menu is a drawer (spec §9). */
export const MOBILE_MAX_PX = 768
