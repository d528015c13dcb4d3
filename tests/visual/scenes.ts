import { expect as playwrightExpect, type Locator, type Page } from '@playwright/test'
import type { GameName, PlayerName } from './frozen-game.ts'

/** A state of a page, and how to reach it. */
export type Scene = {
  name: string
  path: string
  game: GameName
  /** Absent for a visitor. */
  as?: PlayerName
  /** The local hour; noon by default. */
  hour?: 12 | 22
  /** API calls that are never answered, or that fail. */
  calls?: { to: RegExp; end: 'never' | 'fail' }
  /** Widths in px. */
  widths: readonly Width[]
  /** The height of the window in px, where the usual one shows too little. */
  height?: number
  act?: (page: Page) => Promise<void>
}

export type Width = 1440 | 390

// On a busy machine a page may take long; the whole scene has a separate timeout.
const expect = playwrightExpect.configure({ timeout: 30_000 })

// A real click would scroll to the button, and the screenshot would depend on what was laid out by then.
const click = (button: Locator): Promise<void> => button.first().dispatchEvent('click')

const press = (name: string | RegExp) => (page: Page) => click(page.getByRole('button', { name }))

const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))

const expectDialog = async (page: Page) => expect(dialog(page).first()).toBeVisible()

/** Opens the details of a parcel from its card. */
const details = (name: string) => async (page: Page) => {
  const card = { name: new RegExp(`^${name}\\b`) }
  await click(page.getByRole('region', { name: /^(Countries|Sectors)/ }).getByRole('button', card))
  await expectDialog(page)
}

const buyBigMan = async (page: Page) => {
  await click(page.getByRole('region', { name: 'BigMan' }).getByRole('button', { name: 'BUY' }))
}

const openListing = (name: string) => async (page: Page) => {
  await click(page.getByRole('article', { name, exact: true }).getByRole('button'))
  await expectDialog(page)
}

const openWithdrawal = async (page: Page) => {
  await click(page.getByRole('main').getByRole('button', { name: 'Withdraw', exact: true }))
  await expectDialog(page)
}

/** Again, because what arrives later above it moves it. */
const scrollToDeposit = async (page: Page) => {
  const heading = page.getByRole('heading', { name: 'Deposit', exact: true })
  await heading.evaluate((title) => title.scrollIntoView({ block: 'start' }))
}

/** Returns after some hours away. */
const returnLater = async (page: Page) => {
  await page.evaluate((at) => {
    localStorage.setItem('lastSeen', `${localStorage.getItem('walletAddress')} ${Date.parse(at)}`)
  }, '2026-01-04T08:15:00.000Z')
  await page.reload()
  await expect(page.getByRole('region', { name: 'While you were away' })).toBeVisible()
}

type Given = Partial<Scene> & Pick<Scene, 'name' | 'path'>

/** A page of a player in a game that has been played for a day, on a desktop and a phone. */
const page = (scene: Given): Scene => ({ game: 'grown', as: 'farmer', widths: [1440, 390], ...scene })

/** One state of a page, on a phone. */
const state = (scene: Given): Scene => page({ widths: [390], ...scene })

const PAGES: Scene[] = [
  page({ name: 'home', path: '/' }),
  page({ name: 'buy-pickers', path: '/buy-pickers', height: 1_100 }),
  page({ name: 'my-farm', path: '/myfarm', height: 1_000 }),
  page({ name: 'parcels', path: '/parcels', height: 1_200 }),
  page({ name: 'parcels-europe', path: '/parcels/EU', height: 1_320 }),
  page({ name: 'marketplace', path: '/marketplace' }),
  page({ name: 'profile', path: '/profile', height: 1_200 }),
  page({ name: 'workers', path: '/workers' }),
  page({ name: 'transparency', path: '/transparency', height: 1_200 }),
  state({ name: 'terms', path: '/terms' }),
  state({ name: 'not-found', path: '/no-such-page' }),
]

const STATES: Scene[] = [
  { name: 'home-greeting', path: '/', game: 'grown', widths: [390], act: expectDialog },
  state({ name: 'home-night', path: '/', hour: 22 }),
  state({ name: 'side-menu', path: '/myfarm', act: press('Open menu') }),
  state({ name: 'buy-pickers-sold-out', path: '/buy-pickers', game: 'gone', height: 1_200 }),
  state({ name: 'buy-pickers-low-balance', path: '/buy-pickers', as: 'newcomer', act: buyBigMan }),
  state({ name: 'buy-pickers-loading', path: '/buy-pickers', calls: { to: /api\/workers/, end: 'never' } }),
  state({ name: 'my-farm-empty', path: '/myfarm', as: 'newcomer', height: 1_200 }),
  state({
    name: 'my-farm-failed',
    path: '/myfarm',
    calls: { to: /workers\/owned/, end: 'fail' },
    // After the last of several tries.
    act: (page) => page.getByText('Failed to load worker data').waitFor(),
  }),
  state({ name: 'my-farm-while-away', path: '/myfarm', act: returnLater }),
  state({
    name: 'parcels-europe-sample',
    path: '/parcels/EU',
    calls: { to: /api\/(parcels|continent)/, end: 'fail' },
  }),
  state({ name: 'parcel-for-sale', path: '/parcels/EU', act: details('Portugal') }),
  state({ name: 'parcel-owned', path: '/parcels/EU', act: details('France') }),
  state({ name: 'marketplace-confirm', path: '/marketplace', act: openListing('Germany') }),
  state({ name: 'marketplace-list-parcel', path: '/marketplace?tab=mine', act: press('Sell land') }),
  state({ name: 'profile-deposit', path: '/profile?section=deposit', height: 1_200, act: scrollToDeposit }),
  state({ name: 'profile-withdraw', path: '/profile', act: openWithdrawal }),
]

/** Scenes that change nothing. */
export const SCENES: readonly Scene[] = [...PAGES, ...STATES]

/** Scenes that change the game. They run last, so that no other screenshot depends on them. */
export const CHANGING_SCENES: readonly Scene[] = [
  state({
    name: 'parcel-bought',
    path: '/parcels/EU',
    act: async (parcels) => {
      await details('Portugal')(parcels)
      await press('Buy This Parcel')(parcels)
      await expect(parcels.getByText('Purchase Complete')).toBeVisible()
    },
  }),
]
