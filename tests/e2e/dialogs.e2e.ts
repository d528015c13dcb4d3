import type { Page } from '@playwright/test'
import { DESKTOP_ONLY, expect, expectHydrated, logIn, settle, test, VARIANT } from './browser-test.ts'
import { delayResponses } from './delay-responses.ts'
import { playWithResponses, RESPONSES } from './response-fixtures.ts'

// So low that every page scrolls.
test.use({ viewport: { width: 900, height: 500 } })

/** Leaves the page as the browser's Back does, although its dialog cannot be closed. */
async function leavePage(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.history.pushState({}, '', '/terms')
    window.dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(page.getByRole('heading', { level: 1, name: 'Terms and risks' })).toBeVisible()
}

test(
  'a page that is left with two open dialogs leaves the next one scrollable',
  VARIANT,
  async ({ page }) => {
    await playWithResponses(page)
    await page.goto('/parcels')
    // A link that is pressed earlier loads the next page anew, without the dialogs of this one.
    await expectHydrated(page)
    await page
      .getByRole('list', { name: 'Continents' })
      .getByRole('link', { name: /^Europe/ })
      .click()
    await page.locator('[data-parcel="EU-FR"]').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sell this land' }).click()
    await expect(page.getByRole('dialog', { name: 'France' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'World Map' })).toBeFocused()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    // The browser restores how far the page was scrolled.
    await settle(page)
    await page.evaluate(() => window.scrollTo(0, 0))
    await page.mouse.move(600, 300)
    await page.mouse.wheel(0, 300)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
  },
)

test('the menu stays where it is while a dialog is open on a scrolled page', VARIANT, async ({ page }) => {
  await playWithResponses(page)
  await page.goto('/marketplace')
  const card = page.locator(`[data-listing="${RESPONSES.readListings!.listings[0]!.id}"] button`)
  await expect(card).toBeVisible()
  // The page may still be shorter than the window.
  await expect.poll(() => page.evaluate(() => (window.scrollTo(0, 120), window.scrollY))).toBeGreaterThan(0)
  await card.dispatchEvent('click')
  await expect(page.getByRole('dialog', { name: 'Confirm purchase: Poland' })).toBeVisible()
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
  const menu = page.locator('#side-menu')
  expect(await menu.evaluate((element) => element.getBoundingClientRect().top)).toBeCloseTo(0)
})

test(
  'a dialog that waits for an answer stays open however often Escape is pressed',
  VARIANT,
  async ({ page }) => {
    await playWithResponses(page)
    const purchase = '**/api/marketplace/purchase'
    const refusal = { success: false, code: 'listing_gone', message: 'Somebody was quicker.' }
    await page.route(purchase, (route) => route.fulfill({ status: 409, json: refusal }))
    const delayed = await delayResponses(page, purchase)
    await page.goto('/marketplace')
    await page.locator(`[data-listing="${RESPONSES.readListings!.listings[0]!.id}"] button`).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm purchase: Poland' })
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect.poll(() => delayed.callCount).toBe(1)
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape')
    await expect(dialog.getByRole('button', { name: 'Purchasing...' })).toBeVisible()
    delayed.release()
    await expect(dialog.getByText('Somebody was quicker.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  },
)

test('a question cannot be closed while what it asked about is done', VARIANT, async ({ page }) => {
  const [paid] = RESPONSES.readWithdrawals!.withdrawals
  const waiting = { ...paid!, state: 'requested', signature: null, settledAt: null }
  await playWithResponses(page, (name, whole) =>
    name === 'readWithdrawals' ? { success: true, next: null, withdrawals: [waiting] } : whole,
  )
  const cancel = '**/api/users/withdrawals/cancel'
  await page.route(cancel, (route) => route.fulfill({ json: { success: true, withdrawal: waiting } }))
  const delayed = await delayResponses(page, cancel)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Cancel withdrawal' }).click()
  const question = page.getByRole('alertdialog', { name: 'Cancel this withdrawal?' })
  await question.getByRole('button', { name: 'Cancel withdrawal' }).click()
  await expect.poll(() => delayed.callCount).toBe(1)
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape')
  await expect(question.getByRole('button', { name: 'Keep it' })).toBeDisabled()
  delayed.release()
  await expect(question).toHaveCount(0)
})

test(
  'a purchase without an answer can be confirmed again, also when its listing is gone by then',
  DESKTOP_ONLY,
  async ({ page }) => {
    await playWithResponses(page)
    const bought = { success: true, message: '', parcelId: 'EU-PL', newBalance: 380_000, version: 3 }
    const keys: (string | undefined)[] = []
    // The first request arrives, its answer does not.
    await page.route('**/api/marketplace/purchase', (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      return keys.length > 1 ? route.fulfill({ json: bought }) : undefined
    })
    await page.route('**/api/marketplace/listings', (route) =>
      keys.length > 0
        ? route.fulfill({ json: { ...RESPONSES.readListings!, listings: [] } })
        : route.fallback(),
    )
    await page.goto('/marketplace')
    await page.locator(`[data-listing="${RESPONSES.readListings!.listings[0]!.id}"] button`).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm purchase: Poland' })
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByRole('button', { name: 'Stop waiting' }).click()
    await expect(dialog.getByText('It may have gone through.')).toBeVisible()
    await expect(page.locator('[data-listing]')).toHaveCount(0)
    await expect(dialog.getByText('This listing is no longer available.')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('dialog', { name: 'Poland is yours!' })).toBeVisible()
    expect(keys).toEqual([keys[0], keys[0]])
  },
)

test('a withdrawal that is refused after its page was left is reported', DESKTOP_ONLY, async ({ page }) => {
  const limits = { ...RESPONSES.readWithdrawable!, paused: false, pause: null }
  await page.route('**/api/users/withdrawable', (route) => route.fulfill({ json: limits }))
  const challenge = { success: true, message: 'Sign me', expiresAt: '2026-01-05T12:05:00.000Z' }
  await page.route('**/api/users/withdrawals/challenge', (route) => route.fulfill({ json: challenge }))
  const requested = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  await page.route('**/api/users/withdrawals', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    requested.resolve()
    await left.promise
    const json = { success: false, code: 'withdrawals_paused', message: 'Withdrawals are paused now.' }
    return route.fulfill({ status: 503, json })
  })
  await page.goto('/profile')
  await logIn(page)
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
  await dialog.getByLabel('Amount to withdraw').fill('10')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await requested.promise
  await leavePage(page)
  left.resolve()
  await expect(page.getByRole('alert').filter({ hasText: 'Withdrawals are paused now.' })).toBeVisible()
})

test('a withdrawal is not refused by old limits while new ones are read', VARIANT, async ({ page }) => {
  const limits = { ...RESPONSES.readWithdrawable!, paused: false, pause: null, withdrawable: 5 }
  await page.route('**/api/users/withdrawable', (route) => route.fulfill({ json: limits }))
  const refusal = { success: false, code: 'not_withdrawable', message: 'The server has decided.' }
  await page.route('**/api/users/withdrawals/challenge', (route) =>
    route.fulfill({ status: 409, json: refusal }),
  )
  const read = page.waitForResponse('**/api/users/withdrawable')
  await page.goto('/profile')
  await logIn(page)
  await read
  const delayed = await delayResponses(page, '**/api/users/withdrawable')
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
  await dialog.getByLabel('Amount to withdraw').fill('10')
  await expect.poll(() => delayed.callCount).toBeGreaterThan(0)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'The server has decided.' })).toBeVisible()
  delayed.release()
})

test('a listing that is refused after its page was left is reported', VARIANT, async ({ page }) => {
  await playWithResponses(page)
  const list = '**/api/marketplace/list'
  const refusal = { success: false, code: 'already_listed', message: 'Listed in another window.' }
  await page.route(list, (route) => route.fulfill({ status: 409, json: refusal }))
  const delayed = await delayResponses(page, list)
  await page.goto('/parcels/EU')
  await page.locator('[data-parcel="EU-FR"]').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sell this land' }).click()
  await page.getByLabel('Price in $COTTON').fill('5000')
  await page.getByLabel('Type the price again to confirm').fill('5000')
  await page.getByRole('dialog').getByRole('button', { name: 'List for sale' }).click()
  await expect.poll(() => delayed.callCount).toBe(1)
  await leavePage(page)
  delayed.release()
  await expect(page.getByRole('alert').filter({ hasText: 'Listed in another window.' })).toBeVisible()
})

test(
  'a pause of withdrawals that ends while the dialog is open disappears from it',
  VARIANT,
  async ({ page }) => {
    await page.clock.install()
    let limits = RESPONSES.readWithdrawable!
    await playWithResponses(page, (name, whole) => (name === 'readWithdrawable' ? limits : whole))
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
    const pause = dialog.getByText('We are checking a late block.')
    await expect(pause).toBeVisible()
    limits = { ...limits, paused: false, pause: null }
    await page.clock.runFor(10_000)
    await expect(pause).toHaveCount(0)
  },
)

test(
  'a refusal that is repeated is a new element each time, which a screen reader reads',
  VARIANT,
  async ({ page }) => {
    await playWithResponses(page, (name, whole) => {
      if (name === 'readUser') return { ...RESPONSES.readUser, creditBalance: 10 }
      if (name === 'readWithdrawalLock') return { success: true, lock: { hours: 0, next: null } }
      if (name !== 'readWithdrawable') return whole
      return { ...RESPONSES.readWithdrawable, paused: false, pause: null }
    })
    const dialog = page.getByRole('dialog')
    const pressTwice = async (name: string, refusal: string): Promise<void> => {
      const alert = dialog.getByRole('alert').filter({ hasText: refusal })
      await dialog.getByRole('button', { name }).click()
      const first = await alert.elementHandle()
      await dialog.getByRole('button', { name }).click()
      await expect.poll(() => first!.evaluate((node) => node.isConnected)).toBe(false)
      await expect(alert).toBeVisible()
    }
    await page.goto('/parcels/EU?land=EU-MT')
    await settle(page)
    await pressTwice('Buy This Parcel', 'Insufficient Credits')
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await pressTwice('Confirm', 'Enter an amount above 0')
  },
)
