import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { RouteName } from '#contract/routes.ts'
import { type PageName, pages } from '#web/pages.ts'
import type { Budget } from './measure-first-load.ts'

const BUILD = resolve(import.meta.dirname, '../../.build/web/pages')

/** What the browser tests know about a page. */
type PageRow = {
  /** The address that the tests open. By default the path of the page. */
  at: string
  /** Its heading of the first level. By default the prerendered one. */
  heading: string
  /** A part of the prerendered text, by default the heading. Null if the server prerenders nothing for this address. */
  prerendered: string | RegExp | null
  /** Further addresses that are prerendered with their own content. */
  others?: readonly PrerenderedPage[]
  /** Added to the address by tests that check the whole page. */
  opened?: `?${string}`
  /** Only a player sees the content. */
  forPlayers?: true
  /** The page with the same content at another address. Tests of the content skip this one. */
  sameAs?: PageName
  /** What the first load may transfer besides `EVERY_PAGE`, by default no maps. Null if the address has no file of its own. */
  budget: Budget | null
  /** Further addresses with a budget. */
  budgets?: Record<string, Budget>
  /** How to load all the data of the page. By default the page is opened. Empty for a page without data. */
  visits: readonly Visit[]
}

export type PrerenderedPage = { at: string; heading: string; prerendered: string | RegExp }

export type Visit = {
  /** The address of the page by default. */
  at?: string
  /** The routes that the page reads besides `readUser`. By default the test waits until no request is open. */
  reads?: readonly RouteName[]
  /** Opens the dialogs of the page. */
  act?: (page: Page) => Promise<unknown>
}

/** Clicks a button that may be covered by the summary, which appears after an hour. */
const press = (button: Locator): Promise<void> => button.first().dispatchEvent('click')

const pressFirst = (selector: string) => async (page: Page) => {
  const found = page.locator(selector)
  if ((await found.count()) > 0) await press(found)
}

const NO_MAPS: Budget = { maps: 0 }
const ONE_CONTINENT: Budget = { requests: 76, js: 181, maps: 25 }

/** Pages with more than the defaults. */
const ROWS: Readonly<Partial<Record<PageName, Partial<PageRow>>>> = {
  hero: {
    heading: 'Cotton Farm',
    prerendered: 'Start picking',
    // A newcomer waits for this page. It shares no limit with the others.
    budget: { requests: 25, js: 110, maps: 0, css: 10.5, art: 60, fonts: 55, data: 5 },
    visits: [],
  },
  buyPickers: {
    heading: 'Buy Pickers',
    prerendered: /Grandma.*Costs100,000.*Collectsper hour13,000/,
    visits: [
      {
        reads: ['readWorkerTypes'],
        act: (page) => press(page.getByRole('button', { name: /^View / })),
      },
    ],
  },
  myFarm: {
    heading: 'My Farm',
    prerendered: 'Connect wallet',
    forPlayers: true,
    visits: [{ reads: ['readOwnedWorkers', 'readMilestones'] }],
  },
  workers: {
    heading: 'Cotton Workers',
    prerendered: 'Connect wallet',
    forPlayers: true,
    visits: [{ reads: ['readOwnedWorkers'] }],
  },
  ownedWorkers: {
    heading: 'Cotton Workers',
    prerendered: 'Connect wallet',
    forPlayers: true,
    sameAs: 'workers',
    visits: [],
  },
  world: {
    heading: 'World Map',
    prerendered: 'Antarctica',
    visits: [{ reads: ['readContinentStats', 'readParcels'] }],
  },
  continent: {
    at: '/parcels/AN',
    heading: 'Antarctica',
    prerendered: 'Europe',
    others: [{ at: '/parcels/EU', heading: 'Europe', prerendered: 'South America' }],
    budget: ONE_CONTINENT,
    // The continent with the longest outlines, and the one with the most parcels.
    budgets: { '/parcels/AS': ONE_CONTINENT, '/parcels/AF': ONE_CONTINENT },
    visits: [
      { at: '/parcels/EU', reads: ['readContinentStats', 'readParcels'], act: pressFirst('[data-parcel]') },
    ],
  },
  marketplace: {
    heading: 'Marketplace',
    prerendered: 'My Listings',
    visits: [
      { reads: ['readListings'], act: pressFirst('[data-listing] button') },
      {
        at: '/marketplace?tab=mine',
        reads: ['readListings'],
        act: (page) => press(page.getByRole('tab', { name: 'My Listings' })),
      },
    ],
  },
  profile: {
    heading: 'Profile',
    prerendered: 'Connect wallet',
    opened: '?section=deposit',
    forPlayers: true,
    // It shows account, deposits, withdrawals, history and land at once.
    budget: { ...NO_MAPS, requests: 76, js: 187 },
    visits: [
      {
        at: '/profile?section=deposit',
        reads: [
          'readHistory',
          'readMilestones',
          'readWithdrawals',
          'readWithdrawable',
          'readDeposits',
          'readWalletBalance',
          'readParcels',
        ],
        act: (page) => press(page.getByRole('button', { name: 'Withdraw', exact: true })),
      },
      {
        at: '/profile#security',
        reads: ['readSessions', 'readWithdrawalLock'],
        act: (page) => press(page.getByRole('button', { name: 'Show statement' })),
      },
    ],
  },
  terms: {
    heading: 'Terms and risks',
    prerendered: 'Terms',
    visits: [{ reads: ['readTerms'] }],
  },
  transparency: {
    heading: 'Open Books',
    prerendered: 'Open Books',
    visits: [{ reads: ['readTransparency'] }],
  },
  notFound: {
    at: '/no-such-page',
    heading: 'Page not found',
    prerendered: null,
    budget: null,
    visits: [],
  },
}

/** What the tests know about a page. */
export function rowOf(name: PageName): PageRow {
  const { path: at } = pages[name]
  const row = ROWS[name]
  const heading = row?.heading ?? prerenderedHeading(at)
  return { at, heading, prerendered: heading, budget: NO_MAPS, visits: [{}], ...row }
}

/**
 * Every page of the app, as the browser tests open it. Accessibility, budgets, prerendered HTML, the login popup, window
 * sizes and damaged responses are tested for each row.
 */
export const PAGE_ROWS: readonly PageRow[] = (Object.keys(pages) as PageName[]).map(rowOf)

function prerenderedHeading(path: string): string {
  const heading = /<h1[^>]*>([^<]+)/.exec(readFileSync(join(BUILD, `${path}.html`), 'utf8'))?.[1]
  if (!heading) throw new Error(`${path} is prerendered without a heading.`)
  return heading
}

/** Every page whose content no other row has. */
export const DISTINCT_PAGES: readonly PageRow[] = PAGE_ROWS.filter(({ sameAs }) => !sameAs)

/** Every prerendered address with its heading and a part of its text. */
export const PRERENDERED_PAGES: readonly PrerenderedPage[] = PAGE_ROWS.flatMap(
  ({ at, heading, prerendered, others = [] }) =>
    prerendered === null ? others : [{ at, heading, prerendered }, ...others],
)
