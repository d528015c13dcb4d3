import { expect as playwrightExpect, type Page } from '@playwright/test'
import type { GameName, PlayerName } from './frozen-game.ts'

/** One thing that a player can see, and how it comes to be seen. */
export type Scene = {
  name: string
  path: string
  game?: GameName
  /** Nobody is logged in where this is absent. */
  as?: PlayerName
  /** The local hour; noon when absent. */
  hour?: 12 | 19 | 22
  /** What the server does to these calls: never answers, or fails. */
  calls?: { to: RegExp; end: 'never' | 'fail' }
  /** Widths in px; a desktop and a phone when absent. */
  widths?: readonly Width[]
  /** The window's height in px, where the usual one shows too little. */
  height?: number
  act?: (page: Page) => Promise<void>
}

export type Width = 1440 | 1024 | 768 | 390

// A busy machine may take its time; a scene that never comes is ended from outside.
const expect = playwrightExpect.configure({ timeout: 30_000 })

const EVERY: readonly Width[] = [1440, 1024, 768, 390]
const DESKTOP: readonly Width[] = [1440]
const PHONE: readonly Width[] = [390]

const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
}

const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))

const expectDialog = async (page: Page) => expect(dialog(page).first()).toBeVisible()

/** Opens the details of a parcel from its card. */
const details = (name: string) => async (page: Page) => {
  await page
    .getByRole('region', { name: 'Parcels' })
    .getByRole('button', { name: new RegExp(`^${name}\\b`) })
    .click()
  await expectDialog(page)
}

/** Buys what a newcomer cannot pay, or what somebody can. */
const buyPicker = (name: string) => async (page: Page) => {
  await page.getByRole('region', { name }).getByRole('button', { name: 'BUY' }).click()
}

const HERO: Scene[] = [
  { name: 'hero', path: '/', as: 'farmer', widths: EVERY },
  { name: 'hero-greeting', path: '/', act: expectDialog },
  { name: 'hero-dusk', path: '/', as: 'farmer', hour: 19 },
  { name: 'hero-night', path: '/', as: 'farmer', hour: 22, widths: DESKTOP },
  { name: 'hero-menu', path: '/', as: 'farmer', game: 'grown', act: press('Open menu') },
]

const PICKERS: Scene[] = [
  { name: 'pickers', path: '/buy-pickers', as: 'farmer', widths: EVERY, height: 1_100 },
  { name: 'pickers-dusk', path: '/buy-pickers', as: 'farmer', hour: 19, widths: DESKTOP },
  { name: 'pickers-poor', path: '/buy-pickers', as: 'newcomer', act: buyPicker('BigMan') },
  {
    name: 'pickers-buying',
    path: '/buy-pickers',
    as: 'farmer',
    calls: { to: /workers\/purchase/, end: 'never' },
    act: buyPicker('Grandma'),
  },
  { name: 'pickers-sold-out', path: '/buy-pickers', game: 'gone', as: 'farmer' },
  {
    name: 'pickers-loading',
    path: '/buy-pickers',
    as: 'farmer',
    calls: { to: /api\/workers/, end: 'never' },
  },
  { name: 'pickers-sample', path: '/buy-pickers', as: 'farmer', calls: { to: /api\/workers/, end: 'fail' } },
  { name: 'picker-near', path: '/buy-pickers', as: 'farmer', act: press(/Kid/) },
]

const FARM: Scene[] = [
  { name: 'farm', path: '/myfarm', as: 'farmer', widths: EVERY, height: 1_000 },
  {
    name: 'farm-visitor',
    path: '/myfarm',
    act: async (page) => {
      await expectDialog(page)
      await page.keyboard.press('Escape')
    },
  },
  { name: 'farm-empty', path: '/myfarm', as: 'newcomer', height: 1_200 },
  { name: 'farm-loading', path: '/myfarm', as: 'farmer', calls: { to: /workers\/owned/, end: 'never' } },
  { name: 'farm-failed', path: '/myfarm', as: 'farmer', calls: { to: /workers\/owned/, end: 'fail' } },
  {
    name: 'farm-claiming',
    path: '/myfarm',
    as: 'farmer',
    calls: { to: /workers\/claim/, end: 'never' },
    act: press('CLAIM'),
    widths: DESKTOP,
  },
  {
    name: 'farm-away',
    path: '/myfarm',
    as: 'farmer',
    act: async (page) => {
      await page.evaluate((at) => {
        localStorage.setItem('lastSeen', `${localStorage.getItem('walletAddress')} ${Date.parse(at)}`)
      }, '2026-01-04T08:15:00.000Z')
      await page.reload()
      await expect(page.getByRole('region', { name: 'While you were away' })).toBeVisible()
    },
  },
]

const LAND: Scene[] = [
  { name: 'world', path: '/parcels', as: 'farmer', widths: EVERY, height: 1_200 },
  { name: 'world-loading', path: '/parcels', as: 'farmer', calls: { to: /stats/, end: 'never' } },
  { name: 'continent', path: '/parcels/EU', as: 'farmer', widths: EVERY, height: 1_320 },
  { name: 'continent-untouched', path: '/parcels/AN', game: 'fresh', widths: DESKTOP, as: 'newcomer' },
  {
    name: 'continent-loading',
    path: '/parcels/EU',
    as: 'farmer',
    calls: { to: /api\/(parcels|continent)/, end: 'never' },
  },
  {
    name: 'continent-sample',
    path: '/parcels/EU',
    as: 'farmer',
    calls: { to: /api\/(parcels|continent)/, end: 'fail' },
  },
  { name: 'land-free', path: '/parcels/EU', as: 'farmer', act: details('Portugal') },
  { name: 'land-owned', path: '/parcels/EU', as: 'farmer', act: details('Germany'), widths: DESKTOP },
  { name: 'land-mine', path: '/parcels/EU', as: 'farmer', act: details('France') },
  {
    name: 'land-poor',
    path: '/parcels/EU',
    as: 'newcomer',
    act: async (page) => {
      await details('Portugal')(page)
      await press('Buy This Parcel')(page)
    },
  },
]

const offer = async (page: Page, name: string) => {
  await page.getByRole('article', { name, exact: true }).getByRole('button').first().click()
  await expectDialog(page)
}

const MARKET: Scene[] = [
  { name: 'market', path: '/marketplace', as: 'farmer', widths: EVERY },
  { name: 'market-mine', path: '/marketplace?tab=mine', as: 'farmer' },
  { name: 'market-empty', path: '/marketplace', game: 'gone', as: 'farmer', widths: DESKTOP },
  { name: 'market-closed', path: '/marketplace', game: 'fresh', as: 'farmer', widths: DESKTOP },
  {
    name: 'market-loading',
    path: '/marketplace',
    as: 'farmer',
    calls: { to: /marketplace\/listings/, end: 'never' },
    widths: DESKTOP,
  },
  {
    name: 'market-failed',
    path: '/marketplace',
    as: 'farmer',
    calls: { to: /marketplace\/listings/, end: 'fail' },
    widths: DESKTOP,
  },
  { name: 'market-confirm', path: '/marketplace', as: 'farmer', act: (page) => offer(page, 'Germany') },
  {
    name: 'market-confirm-poor',
    path: '/marketplace',
    as: 'newcomer',
    act: (page) => offer(page, 'Germany'),
  },
  { name: 'market-sell', path: '/marketplace?tab=mine', as: 'farmer', act: press('List a parcel') },
]

const PLAYER: Scene[] = [
  { name: 'profile', path: '/profile', as: 'farmer', widths: EVERY, height: 1_200 },
  { name: 'profile-visitor', path: '/profile', act: expectDialog, widths: PHONE },
  { name: 'profile-new', path: '/profile', game: 'fresh', as: 'newcomer', height: 1_200 },
  {
    name: 'profile-no-address',
    path: '/profile',
    as: 'farmer',
    calls: { to: /deposit-address/, end: 'fail' },
    act: async (page) => expect(page.getByText('The deposit address could not be loaded.')).toBeVisible(),
    widths: PHONE,
  },
  { name: 'deposit', path: '/profile?section=deposit', as: 'farmer', height: 1_200 },
  {
    name: 'withdraw',
    path: '/profile',
    as: 'farmer',
    act: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Withdraw', exact: true }).click()
      await expectDialog(page)
    },
  },
  { name: 'workers', path: '/workers', as: 'farmer', widths: EVERY },
  { name: 'workers-mine', path: '/owned-workers', as: 'farmer' },
  { name: 'workers-none', path: '/owned-workers', as: 'newcomer' },
  { name: 'menu', path: '/myfarm', as: 'farmer', widths: PHONE, act: press('Open menu') },
  { name: 'terms', path: '/terms', as: 'farmer' },
  { name: 'books', path: '/transparency', as: 'farmer', height: 1_200 },
  {
    name: 'books-unseen',
    path: '/transparency',
    game: 'fresh',
    as: 'newcomer',
    act: press('Hide the first steps'),
    widths: DESKTOP,
  },
  {
    name: 'books-cold',
    path: '/transparency',
    as: 'farmer',
    act: async (page) => page.getByText('Which 2 wallets are cold storage?').click(),
  },
  { name: 'lost', path: '/no-such-page', as: 'farmer' },
  {
    name: 'offline',
    path: '/buy-pickers',
    as: 'farmer',
    act: async (page) => page.context().setOffline(true),
    widths: DESKTOP,
  },
]

/** What changes the world comes last, each once, so that no other picture depends on it. */
const MOMENTS: Scene[] = [
  {
    name: 'moment-hired',
    path: '/buy-pickers',
    as: 'farmer',
    widths: DESKTOP,
    act: async (page) => {
      await buyPicker('Kid')(page)
      await expect(page.getByText('Successfully purchased')).toBeVisible()
    },
  },
  {
    name: 'moment-land',
    path: '/parcels/EU',
    as: 'farmer',
    widths: PHONE,
    act: async (page) => {
      await details('Portugal')(page)
      await press('Buy This Parcel')(page)
      await expect(page.getByText('Purchase Complete')).toBeVisible()
    },
  },
]

const inGrown = (scene: Scene): Scene => ({ game: 'grown', ...scene })

/** All scenes that only look. */
export const SCENES: readonly Scene[] = [...HERO, ...PICKERS, ...FARM, ...LAND, ...MARKET, ...PLAYER].map(
  inGrown,
)

/** All scenes that change the world, to be played in this order after all others. */
export const CHANGES: readonly Scene[] = MOMENTS.map(inGrown)
