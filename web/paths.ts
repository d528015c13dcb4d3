import type { ContinentCode } from '#game/continents.ts'
import type { WorkerType } from '#game/workers.ts'
import { type PageName, pages } from './pages.ts'

type PagePaths = { readonly [Name in Exclude<PageName, 'notFound'>]: (typeof pages)[Name]['path'] }

const pagePaths = Object.fromEntries(
  Object.entries(pages).map(([name, { path }]) => [name, path]),
) as PagePaths

/** Every address that the app links to: the pages, and places on them. */
export const paths = {
  ...pagePaths,
  deposit: `${pages.profile.path}?section=deposit`,
  ownedLand: `${pages.profile.path}#owned-land`,
  testTokens: `${pages.profile.path}#test-tokens`,
} as const

/** The parameter that names the parcel whose details are open. */
export const LAND_PARAMETER = 'land'

/** Matches a query with a parameter that a page reads. The page was prerendered without it. */
export const PAGE_PARAMETER = /[?&](section|tab|continent|type|sort|search|regionName|land)\b/

/** The page of a continent's land (S-03). */
export const continentPath = (code: ContinentCode): string => `${paths.world}/${code}`

/** The button on Buy Pickers that hires this type. */
export const hirePath = (type: WorkerType): string => `${paths.buyPickers}#hire-${type}`

/** The page of a continent with the details of one parcel. */
export const landPath = (code: ContinentCode, parcelId: string): string =>
  `${continentPath(code)}?${LAND_PARAMETER}=${parcelId}`
