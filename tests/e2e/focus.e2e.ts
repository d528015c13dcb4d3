import { installClock, pauseClock } from './page-clock.ts'
import { playWithResponses, RESPONSES } from './response-fixtures.ts'
import { DESKTOP_ONLY, expect, expectHydrated, settle, test, VARIANT, waitForRender } from './browser-test.ts'
import { delayResponses } from './delay-responses.ts'

test(
  'the button that shows more of the history has the focus until it disappears, then the first new row',
  VARIANT,
  async ({ page }) => {
    await playWithResponses(page)
    const [item] = RESPONSES.readHistory!.items
    const ids = ['first', 'second', 'third']
    await page.route('**/api/users/history*', (route) => {
      const id = new URL(route.request().url()).searchParams.get('before') ?? 'first'
      const next = ids[ids.indexOf(id) + 1] ?? null
      return route.fulfill({ json: { success: true, items: [{ ...item, id }], next, pending: [] } })
    })
    await page.goto('/profile')
    const history = page.getByRole('region', { name: 'Transaction History' })
    const rows = history.getByRole('listitem')
    const more = history.getByRole('button', { name: 'Show more' })
    await more.press('Enter')
    await expect(rows).toHaveCount(2)
    await expect(more).toBeFocused()
    await more.press('Enter')
    await expect(rows.nth(2)).toBeFocused()
    await expect(more).toHaveCount(0)
  },
)

test(
  'pickers that are shown when the keyboard reaches the end of the list take over its focus',
  VARIANT,
  async ({ page }) => {
    // A long page, so that its end is out of view.
    await page.setViewportSize({ width: 390, height: 500 })
    const { workers } = RESPONSES.readOwnedWorkers!
    const many = Array.from({ length: 61 }, (_, index) => ({
      ...workers[0],
      workerId: `kid-${String(index + 1).padStart(4, '0')}`,
    }))
    await playWithResponses(page, (name, whole) =>
      name === 'readOwnedWorkers' ? { ...RESPONSES.readOwnedWorkers, workers: many } : whole,
    )
    await page.goto('/workers')
    const names = page.getByRole('heading', { level: 4 })
    await expect(names).toHaveCount(60)
    await page.getByRole('button', { name: 'Show more' }).focus()
    await expect(names.nth(60)).toBeFocused()
  },
)

test('a claimed picker that leaves the list leaves its focus to its type', VARIANT, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 500 })
  const [worker] = RESPONSES.readOwnedWorkers!.workers
  let claimedOfFirst = 100
  await playWithResponses(page, (name, whole) => {
    if (name !== 'readOwnedWorkers') return whole
    const workers = Array.from({ length: 61 }, (_, index) => ({
      ...worker,
      workerId: `kid-${String(index + 1).padStart(4, '0')}`,
      claimedGeneratedTokens: index === 0 ? claimedOfFirst : 100,
    }))
    return { ...RESPONSES.readOwnedWorkers, workers }
  })
  await page.route('**/api/workers/claim', (route) => {
    claimedOfFirst = 100_000_000
    return route.fulfill({ json: { success: true, claimedAmount: 900, newBalance: 500_900 } })
  })
  await page.goto('/workers')
  await page.getByLabel('Sort by').selectOption('Most ready')
  const card = page.getByRole('region', { name: 'kid-0001' })
  await card.getByRole('button', { name: 'Claim Tokens' }).press('Enter')
  await expect(card).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 3, name: /^Kid/ })).toBeFocused()
})

test(
  'the focus of a dismissed toast moves to the next toast, and from the last one back to where it was',
  DESKTOP_ONLY,
  async ({ page }) => {
    await installClock(page)
    await playWithResponses(page)
    await page.goto('/marketplace')
    const own = page.locator(`[data-listing="${RESPONSES.readListings!.listings[1]!.id}"] button`)
    await expect(own).toBeVisible()
    // The first gesture loads what toasts need.
    await page.keyboard.press('Shift')
    await settle(page)
    const region = page.getByRole('region', { name: 'Notifications' })
    const toasts = region.locator(':scope > *')
    await own.press('Enter')
    await expect(toasts).toHaveCount(1)
    // The button's cooldown ends, and no toast does.
    await pauseClock(page)
    await own.press('Enter')
    await expect(toasts).toHaveCount(2)
    const dismiss = region.getByRole('button', { name: 'Dismiss' })
    await dismiss.focus()
    await page.keyboard.press('Enter')
    await expect(toasts).toHaveCount(1)
    await expect(dismiss).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(toasts).toHaveCount(0)
    await expect(own).toBeFocused()
  },
)

test('a button of a dialog that is disabled does not lose the focus', DESKTOP_ONLY, async ({ page }) => {
  let isPaused = false
  await playWithResponses(page, (name, whole) => {
    if (name === 'readWithdrawalLock') return { success: true, lock: { hours: 0, next: null } }
    if (name !== 'readWithdrawable' || isPaused) return whole
    return { ...RESPONSES.readWithdrawable, paused: false, pause: null }
  })
  await page.goto('/profile')
  const open = page.getByRole('button', { name: 'Withdraw', exact: true })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
  await expect(dialog).toContainText('Withdrawable now800')
  await dialog.getByLabel('Amount to withdraw').fill('10')
  // There is no wallet that could sign. After the attempt the limits are read again.
  isPaused = true
  const confirm = dialog.getByRole('button', { name: 'Confirm' })
  await confirm.press('Enter')
  await expect(dialog).toContainText('Withdrawals are paused')
  await waitForRender(page)
  await expect(confirm).toBeDisabled()
  await expect(confirm).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(open).toBeFocused()
})

test('a lock that is read late takes the amount away, and not the focus', VARIANT, async ({ page }) => {
  await playWithResponses(page, (name, whole) => {
    if (name === 'readWithdrawalLock') return { success: true, lock: { hours: 24, next: null } }
    if (name !== 'readWithdrawable') return whole
    return { ...RESPONSES.readWithdrawable, paused: false, pause: null }
  })
  const delayed = await delayResponses(page, '**/api/users/withdrawal-lock')
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
  const amount = dialog.getByLabel('Amount to withdraw')
  await expect(amount).toBeFocused()
  delayed.release()
  await expect(amount).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
})

test(
  'the button that tries again leaves its focus to the title of its panel, or to the page without one',
  VARIANT,
  async ({ page }) => {
    await playWithResponses(page)
    const refusal = { success: false, code: 'malformed', message: 'No.' }
    let isFailing = true
    await page.route(/\/api\/(users\/history|workers\/owned)/, (route) =>
      isFailing ? route.fulfill({ status: 400, json: refusal }) : route.fallback(),
    )
    await page.goto('/profile')
    const history = page.getByRole('region', { name: 'Transaction History' })
    const retryHistory = history.getByRole('button', { name: 'Try again' })
    await expect(retryHistory).toBeVisible()
    isFailing = false
    await retryHistory.press('Enter')
    await expect(history.getByRole('listitem').first()).toBeVisible()
    await expect(history.getByRole('heading', { name: 'Transaction History' })).toBeFocused()

    isFailing = true
    await page.goto('/myfarm')
    const retryFarm = page.getByRole('main').getByRole('button', { name: 'Try again' })
    await expect(retryFarm).toBeVisible()
    isFailing = false
    await retryFarm.press('Enter')
    await expect(page.getByRole('button', { name: 'CLAIM', exact: true })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
  },
)

test(
  'the button that reads the price history of land again leaves its focus to the title of the history',
  VARIANT,
  async ({ page }) => {
    await playWithResponses(page)
    const refusal = { success: false, code: 'malformed', message: 'No.' }
    let isFailing = true
    await page.route('**/api/parcels/EU-PL/sales', (route) =>
      isFailing ? route.fulfill({ status: 400, json: refusal }) : route.fallback(),
    )
    await page.goto('/parcels/EU')
    await page.locator('[data-parcel="EU-PL"]').click()
    const details = page.getByRole('dialog', { name: 'Land Details' })
    const retry = details.getByRole('button', { name: 'Try again' })
    await expect(retry).toBeVisible()
    isFailing = false
    await retry.press('Enter')
    await expect(details.getByText('Sold once: by the game')).toBeVisible()
    await expect(details.getByText('Price history', { exact: true })).toBeFocused()
  },
)

test('the page gets the focus when a dialog closes whose button is gone', VARIANT, async ({ page }) => {
  await playWithResponses(page)
  const refusal = { success: false, code: 'listing_gone', message: 'Somebody was quicker.' }
  await page.route('**/api/marketplace/purchase', (route) => route.fulfill({ status: 409, json: refusal }))
  await page.goto('/marketplace')
  await page.locator(`[data-listing="${RESPONSES.readListings!.listings[0]!.id}"] button`).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm purchase: Poland' })
  // The refusal makes the page read the listings again.
  await page.route('**/api/marketplace/listings', (route) =>
    route.fulfill({ json: { ...RESPONSES.readListings, listings: [] } }),
  )
  const confirm = dialog.getByRole('button', { name: 'Confirm' })
  await confirm.click()
  await expect(dialog.getByText('This listing is no longer available.')).toBeVisible()
  await waitForRender(page)
  await expect(confirm).toBeDisabled()
  await expect(confirm).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
})

test(
  'Back and Forward close the menu of a phone and the settings, and the heading of the page gets the focus',
  DESKTOP_ONLY,
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await playWithResponses(page)
    const heading = (name: string) => page.getByRole('heading', { level: 1, name })
    const menu = page.getByRole('complementary', { name: 'Main menu' })
    const settings = page.getByRole('dialog', { name: 'Settings' })
    const openMenu = async () => {
      await page.getByRole('button', { name: 'Open menu' }).click()
      await expect(menu).toBeVisible()
    }
    const openSettings = async () => {
      await menu.getByRole('button', { name: 'Settings' }).click()
      await expect(settings).toBeVisible()
    }
    await page.goto('/')
    // Before that, the link loads the next page anew.
    await expectHydrated(page)
    await page.getByRole('link', { name: 'Start picking' }).click()
    await expect(heading('Buy Pickers')).toBeFocused()
    const tabs = page.getByRole('navigation', { name: 'Main pages' })
    await tabs.getByRole('link', { name: 'Me', exact: true }).click()
    await expect(heading('Profile')).toBeFocused()

    await openMenu()
    await openSettings()
    await page.goBack()
    await expect(heading('Buy Pickers')).toBeFocused()
    await expect(settings).toHaveCount(0)
    await expect(menu).toBeHidden()
    // The first page has a menu of its own, which is always a drawer.
    await openMenu()
    await page.goBack()
    await expect(heading('Cotton Farm')).toBeFocused()
    await expect(menu).toBeHidden()
    await openMenu()
    await page.goForward()
    await expect(heading('Buy Pickers')).toBeFocused()
    await expect(menu).toBeHidden()

    // In a large window the settings open without the menu.
    await page.setViewportSize({ width: 1440, height: 900 })
    await openSettings()
    await page.goBack()
    await expect(heading('Cotton Farm')).toBeFocused()
    await page.goForward()
    await expect(heading('Buy Pickers')).toBeFocused()
    await expect(settings).toHaveCount(0)
  },
)
