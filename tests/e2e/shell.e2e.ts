import { createFundedPlayer, playAs } from './funded-player.ts'
import { installPhantom } from './fake-phantom.ts'
import {
  closeGreeting,
  expect,
  expectBothLayouts,
  expectHydrated,
  isPhone,
  DESKTOP_ONLY,
  test,
  VARIANT_ON_BOTH,
  variantFrom,
} from './browser-test.ts'
import { PAGE_ROWS } from './page-table.ts'
import type { Page } from '@playwright/test'

const menu = (page: Page) => page.getByRole('navigation', { name: 'Game' })
const popup = (page: Page) => page.getByRole('dialog', { name: 'You need to be logged in' })
const sideMenu = (page: Page) => page.getByRole('complementary', { name: 'Main menu' })

/** Opens the menu, which is closed on phones, and on the first page in every window. */
async function openMenu(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Open menu' })
  await button.or(sideMenu(page)).first().waitFor()
  if (await button.isVisible()) await button.click()
}

/** A player for whom the server reports this balance. */
async function playWithBalance(page: Page, creditBalance: number): Promise<string> {
  const player = await createFundedPlayer(0)
  await playAs(page.context(), player)
  const body = { walletAddress: player.address, creditBalance }
  await page.route('**/api/users/wallet/*', (route) => route.fulfill({ json: body }))
  return player.address
}

for (const [index, { at, heading }] of PAGE_ROWS.entries()) {
  test(
    `${at} opens for everyone, whatever isLoggedIn says, and has a region for toasts (S-01, S-04, S-05, S-07, S-12, S-47, A-01, A-32)`,
    variantFrom(2, index),
    async ({ page }) => {
      await page.addInitScript(() => localStorage.setItem('isLoggedIn', 'true'))
      const origins = new Set<string>()
      page.on('request', (request) => origins.add(new URL(request.url()).origin))
      await page.goto(at)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expect(page.locator('section[popover][aria-label="Notifications"][aria-live]')).toBeAttached()
      const { origin, pathname } = new URL(page.url())
      expect(pathname).toBe(at)
      await closeGreeting(page)
      await expectBothLayouts(page)
      expect([...origins].filter((each) => each.startsWith('http'))).toEqual([origin])
    },
  )
}

test(
  'the menu has balance, deposit, four pages and the configured links (S-02, S-08, S-09, S-10, S-13, S-15)',
  DESKTOP_ONLY,
  async ({ page }) => {
    const address = await playWithBalance(page, 1_234.9)
    await page.goto('/parcels')
    await openMenu(page)
    await expect(sideMenu(page)).toContainText('1,234 $COTTON')
    const ways = menu(page).getByRole('link', {
      name: /^(Buy Pickers|My Farm|Marketplace|Profile|Follow us)/,
    })
    await expect(ways).toHaveText(['Buy Pickers', 'My Farm', 'Profile', /^Follow us/])
    const hidden = menu(page).locator('a[href="/marketplace"]')
    await expect(hidden).toBeAttached()
    await expect(hidden).toBeHidden()
    const follow = menu(page).getByRole('link', { name: /on X/ })
    await expect(follow).toHaveAttribute('href', 'https://x.example/cottonfarm')
    const links = sideMenu(page)
    await expect(links.getByRole('link', { name: /^X \(/ })).toHaveAttribute(
      'href',
      'https://x.example/cottonfarm',
    )
    await expect(links.getByRole('link', { name: /token page/ })).toHaveAttribute(
      'href',
      'https://token.example/cotton',
    )

    await links.getByRole('link', { name: 'Deposit', exact: true }).click()
    await expect(page).toHaveURL(/\/profile\?section=deposit$/)
    await expect(page.getByText('Send tokens to this address:')).toBeVisible()
    await openMenu(page)
    const short = `${address.slice(0, 6)}…${address.slice(-4)}`
    await menu(page).getByRole('link', { name: 'My Farm' }).click()
    await openMenu(page)
    await links.getByRole('button', { name: `Wallet ${short}, open profile` }).click()
    await expect(page).toHaveURL(/\/profile$/)
  },
)

test(
  'a link closes the menu up to 768 px only, and toggle-menu opens and closes it (S-11, S-60)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await playWithBalance(page, 0)
    const toggle = () => page.evaluate(() => window.dispatchEvent(new CustomEvent('toggle-menu')))
    for (const width of [768, 769]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/')
      await expectHydrated(page)
      await toggle()
      await expect(menu(page)).toBeVisible()
      await toggle()
      await expect(menu(page)).toBeHidden()
      await toggle()
      await expect(menu(page)).toBeVisible()
      await sideMenu(page).getByRole('link', { name: /home$/ }).click()
      await expect(menu(page)).toBeVisible({ visible: width > 768 })
      await page.goto('/buy-pickers')
      await expect(page.getByRole('heading', { level: 1, name: 'Buy Pickers' })).toBeVisible()
      await openMenu(page)
      await menu(page).getByRole('link', { name: 'My Farm' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'My Farm' })).toBeVisible()
      await expect(menu(page)).toBeVisible({ visible: width > 768 })
      await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible({ visible: width <= 768 })
      // The tab that these open does not matter here.
      await page.evaluate(() => window.addEventListener('click', (event) => event.preventDefault()))
      for (const name of [/^X \(/, /token page/]) {
        await openMenu(page)
        await sideMenu(page).getByRole('link', { name }).click()
        await expect(menu(page)).toBeVisible({ visible: width > 768 })
      }
    }
  },
)

test('everything in the menu moves with it, each label with its field', VARIANT_ON_BOTH, async ({ page }) => {
  test.skip(!isPhone(page), 'On a desktop the menu does not move.')
  await page.goto('/')
  await closeGreeting(page)
  await page.getByRole('link', { name: 'Start picking' }).click()
  // The first page has the same button, and leaving the page closes its menu.
  await expect(page.getByRole('heading', { level: 1, name: 'Buy Pickers' })).toBeVisible()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(menu(page)).toBeVisible()
  await page.evaluate(() => {
    const menu = document.querySelector('aside')!
    const torn = ((globalThis as { torn?: string[] }).torn = [] as string[])
    const checkFrame = (): void => {
      const { visibility } = getComputedStyle(menu)
      for (const part of menu.querySelectorAll('*'))
        if (getComputedStyle(part).visibility !== visibility) torn.push(part.tagName)
      requestAnimationFrame(checkFrame)
    }
    checkFrame()
  })
  await menu(page).getByRole('link', { name: 'My Farm' }).click()
  await expect(menu(page)).toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(menu(page)).toBeVisible()
  expect(await page.evaluate(() => (globalThis as { torn?: string[] }).torn)).toEqual([])
})

type Header = { title: string; current: string; to: string; leadsTo: string }

const HEADERS: Record<string, Header> = {
  '/buy-pickers': { title: 'Buy Pickers', current: 'Buy Pickers', to: 'My Farm', leadsTo: '/myfarm' },
  '/myfarm': { title: 'My Farm', current: 'My Farm', to: 'Buy Pickers', leadsTo: '/buy-pickers' },
  '/profile': { title: 'Profile', current: 'Profile', to: 'My Farm', leadsTo: '/myfarm' },
  '/workers': { title: 'Cotton Workers', current: 'My Farm', to: 'Buy Pickers', leadsTo: '/buy-pickers' },
  '/parcels/EU': { title: 'Europe', current: 'Buy Pickers', to: 'World map', leadsTo: '/parcels' },
}

test(
  'the header has the title of the page and links to the other one, and the menu marks the current item (S-09, S-10, S-14, S-15)',
  DESKTOP_ONLY,
  async ({ page }) => {
    const address = await playWithBalance(page, 0)
    const current = menu(page).locator('[aria-current="page"]')
    await page.goto('/')
    await openMenu(page)
    await expect(current).toHaveText('Buy Pickers')
    for (const [path, { title, current: item, to, leadsTo }] of Object.entries(HEADERS)) {
      await page.goto(path)
      const header = page.getByRole('main').locator('header')
      await expect(header.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await expect(header.getByRole('link', { name: /^X \(/ })).toHaveAttribute('href', /x\.example/)
      await expect(header.getByRole('link', { name: /token page/ })).toHaveAttribute('href', /token\.example/)
      await expect(header.getByRole('link', { name: to, exact: true })).toHaveAttribute('href', leadsTo)
      await expect(current).toHaveText(item)
    }
    await page.goto('/terms')
    // The player's wallet moves the link.
    await expectHydrated(page)
    await page.getByRole('main').locator('header').getByRole('link', { name: 'My Farm', exact: true }).click()
    await expect(page).toHaveURL(/\/myfarm$/)
    await page
      .getByRole('main')
      .getByRole('button', { name: new RegExp(address.slice(0, 6)) })
      .click()
    await expect(page).toHaveURL(/\/profile$/)
  },
)

test(
  'the hero page has one layout for large and one for small windows (S-01, S-18)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await playWithBalance(page, 0)
    await page.setViewportSize({ width: 769, height: 900 })
    await page.goto('/')
    const steps = page.getByRole('main').getByRole('listitem')
    const logo = page.getByRole('main').locator('img[src*="logo"]')
    await expect(page.getByRole('link', { name: 'Start picking' })).toBeVisible()
    await expect(logo).toBeVisible()
    await expect(steps).toHaveCount(0)
    await page.setViewportSize({ width: 768, height: 900 })
    await expect(steps).toHaveCount(3)
    await expect(steps.locator('img')).toHaveCount(3)
    await expect(logo).toBeVisible()
    await steps.last().scrollIntoViewIfNeeded()
    await expect
      .poll(() =>
        steps
          .locator('img')
          .evaluateAll((images) => images.every((image) => (image as HTMLImageElement).naturalWidth > 0)),
      )
      .toBe(true)
  },
)

test(
  'the login popup says what to do, and opens again at Deposit, BUY and the profile (S-13, S-19, S-20, S-77)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await page.goto('/buy-pickers')
    await expect(popup(page)).toBeVisible()
    await expect(popup(page).getByText('Connect your wallet to continue')).toBeVisible()
    await popup(page).getByRole('button', { name: 'Close' }).last().click()
    await expect(popup(page)).toBeHidden()
    for (const name of ['Deposit', 'BUY']) {
      await page.getByRole('button', { name, exact: true }).first().click()
      await closeGreeting(page)
    }
    await expect(page).toHaveURL(/\/buy-pickers$/)
    await openMenu(page)
    await menu(page).getByRole('link', { name: 'Profile' }).click()
    await expect(page).toHaveURL(/\/profile$/)
    await expect(popup(page)).toBeVisible()
    await popup(page).getByRole('button', { name: 'Close' }).last().click()
    await expect(popup(page)).toBeHidden()
  },
)

test(
  'the wallet button shows connecting, nonce, signature and login (S-17, S-51, S-63, A-23)',
  DESKTOP_ONLY,
  async ({ page }) => {
    const { addresses, received } = await installPhantom(page)
    const steps: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() === 'POST') steps.push(`${pathname} after ${received.join(', ') || 'nothing'}`)
    })
    let release = (): void => undefined
    const gate = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/users/nonce', async (route) => {
      await gate
      await route.continue()
    })
    // Within the half second before the login popup opens.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 1_000)
    await page.goto('/buy-pickers')
    await sideMenu(page).getByRole('button', { name: 'Connect wallet' }).click()
    const busy = sideMenu(page).getByRole('button', { name: 'Connecting…' })
    await expect(busy).toHaveAttribute('aria-busy', 'true')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('walletName'))).toBe('Phantom')
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    await page.clock.runFor(2_000)
    await expect(popup(page)).toBeHidden()
    release()
    await expect(page.getByText('Logged in', { exact: true })).toBeVisible()
    expect(steps).toEqual([
      '/api/users/nonce after connect',
      '/api/users/verify-wallet after connect, sign message',
    ])
    const stored = await page.evaluate(() => ({ ...localStorage }))
    expect(stored).toMatchObject({ walletAddress: addresses[0], walletName: 'Phantom' })
    expect(stored.token).toMatch(/^\S{20,}$/)
    expect(JSON.parse(stored.user as string)).toMatchObject({ walletAddress: addresses[0] })
  },
)

const NONCE = '**/api/users/nonce'
const VERIFY = '**/api/users/verify-wallet'
const NO = { success: false, code: 'busy' }
const LOGIN_FAILURES: [call: string, status: number, json: object, sentence: string][] = [
  [NONCE, 502, {}, 'Failed to get nonce'],
  [NONCE, 503, { ...NO, message: 'The game is busy.' }, 'The game is busy.'],
  [VERIFY, 502, {}, 'Signature verification failed'],
  [VERIFY, 200, { success: true, message: 'but no token' }, 'Login failed.'],
]

test('a failed login shows its step or the message of the server (S-101)', DESKTOP_ONLY, async ({ page }) => {
  await installPhantom(page)
  await page.goto('/buy-pickers')
  for (const [call, status, json, sentence] of LOGIN_FAILURES) {
    await page.route(call, (route) => route.fulfill({ status, json }))
    await popup(page).getByRole('button', { name: 'Connect wallet' }).click()
    await expect(popup(page).getByRole('alert')).toHaveText(sentence)
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    await page.unroute(call)
  }
})
