import type { Locator } from '@playwright/test'
import {
  closeGreeting,
  expect,
  expectNoSidewaysScroll,
  isPhone,
  DESKTOP_ONLY,
  test,
  VARIANT,
  VARIANT_ON_BOTH,
  waitForRender,
  PHONE_FIRST,
} from './browser-test.ts'
import { pauseClock, stopToastTimer, installClock } from './page-clock.ts'
import { delayResponses } from './delay-responses.ts'
import { HIRED_KID, RESPONSES, playWithResponses, WALLET } from './response-fixtures.ts'

type Box = { x: number; y: number; width: number; height: number }

const boxOf = async (element: Locator): Promise<Box> => (await element.boundingBox())!

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

/** Whether nothing covers the centre of the element. */
const isOnTop = (element: Locator): Promise<boolean> =>
  element.evaluate((each) => {
    const { x, y, width, height } = each.getBoundingClientRect()
    return each.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })

const SHORT = `${WALLET.slice(0, 6)}…${WALLET.slice(-4)}`

const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 1366, height: 768 },
  { width: 390, height: 844 },
]

for (const needsDeposit of [false, true]) {
  const title = needsDeposit ? 'that needs a deposit first' : 'that may go out'
  test(
    `in every window the notes of a withdrawal ${title} are above its buttons (S-28)`,
    VARIANT,
    async ({ page }) => {
      const limits = { ...RESPONSES.readWithdrawable!, needsDeposit, paused: false, pause: null }
      await playWithResponses(page, (name, whole) => (name === 'readWithdrawable' ? limits : whole))
      await page.goto('/profile')
      for (const viewport of WINDOWS) {
        await page.setViewportSize(viewport)
        await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
        const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
        const confirm = await boxOf(dialog.getByRole('button', { name: 'Confirm' }))
        const split = dialog.getByText(
          /^You can withdraw 800 \$COTTON, plus up to .* of your 100 in earnings today\./,
        )
        for (const note of [dialog.getByText(/^Once requested/), split]) {
          const { y, height } = await boxOf(note)
          expect(y).toBeGreaterThanOrEqual(0)
          expect(y + height).toBeLessThanOrEqual(confirm.y)
        }
        expect(confirm.y + confirm.height).toBeLessThanOrEqual(viewport.height)
        await page.keyboard.press('Escape')
        await expect(dialog).toBeHidden()
      }
    },
  )
}

test(
  'a toast never covers the close button of a dialog, and can be closed itself (S-12)',
  PHONE_FIRST,
  async ({ page }) => {
    await installClock(page)
    await playWithResponses(page)
    await page.goto('/parcels/EU')
    const card = page.locator('[data-parcel="EU-PL"]')
    await expect(card).toBeVisible()
    const dialog = page.getByRole('dialog', { name: 'Land Details' })
    const close = dialog.getByRole('button', { name: 'Close' }).first()
    const toast = page.getByRole('region', { name: 'Notifications' }).getByRole('status')
    await stopToastTimer(page, toast, () => card.click())
    await expect(toast).toContainText('This parcel is already owned.')
    await expect.poll(async () => overlap(await boxOf(toast), await boxOf(close))).toBe(false)
    expect(await isOnTop(close)).toBe(true)
    await page.clock.resume()
    await toast.getByRole('button', { name: 'Dismiss' }).click()
    await expect(toast).toBeHidden()
    await expect(dialog).toBeVisible()
  },
)

test('a toast moves away from a button that is scrolled below it', VARIANT, async ({ page }) => {
  await installClock(page)
  await playWithResponses(page)
  await page.route('**/api/workers/purchase', (route) => route.fulfill({ json: HIRED_KID }))
  await page.goto('/buy-pickers')
  // Room to scroll up and down.
  await page.locator('main').evaluate((main) => (main.style.paddingBlock = '900px'))
  const buy = page.getByRole('button', { name: 'BUY' })
  const toast = page.getByRole('region', { name: 'Notifications' }).getByRole('status')
  await stopToastTimer(page, toast, () => buy.nth(0).press('Enter'))
  const { y } = await boxOf(toast)
  const scrollBelowToast = (await boxOf(buy.nth(1))).y - y
  await page.evaluate((by) => window.scrollBy(0, by), scrollBelowToast)
  expect(Math.abs((await boxOf(buy.nth(1))).y - y)).toBeLessThan(2)
  await page.clock.runFor(500)
  const coveredCount = async () => {
    const box = await boxOf(toast)
    const boxes = await Promise.all((await buy.all()).map(boxOf))
    return boxes.filter((each) => overlap(box, each)).length
  }
  expect(await coveredCount()).toBe(0)
})

test('a toast shown in a dialog stays after the dialog closes', VARIANT, async ({ page }) => {
  await playWithResponses(page)
  await page.goto('/parcels/EU')
  await page.locator('[data-parcel="EU-PL"]').click()
  const toast = page.getByText('This parcel is already owned.')
  await expect(toast).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(toast).toHaveCount(1)
  await expect(toast).toBeHidden()
})

test(
  'an announcement does not cover the summary of an absence, which moves up once it is dismissed',
  VARIANT,
  async ({ page }) => {
    const text = Array.from({ length: 8 }, () => 'The game restarts at 18:00 UTC.').join(' ')
    const announcements = [{ id: 'restart', text, until: '2099-01-01T00:00:00Z' }]
    await playWithResponses(page, (name, whole) =>
      name === 'readSite' ? { ...RESPONSES.readSite, announcements } : whole,
    )
    const lastSeen = `${WALLET} ${Date.now() - 7_200_000}`
    await page.addInitScript((value) => localStorage.setItem('lastSeen', value), lastSeen)
    await page.goto('/terms')
    const summary = page.getByRole('region', { name: 'While you were away' })
    const announcement = page.getByRole('status').getByText(text)
    await expect(summary).toBeVisible()
    await expect(announcement).toBeVisible()
    // In a window of 1440 px they are side by side.
    await waitForRender(page)
    await expect.poll(async () => (await boxOf(summary)).y).toBe(112)
    for (const viewport of [
      { width: 1024, height: 768 },
      { width: 844, height: 390 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport)
      await expect.poll(async () => overlap(await boxOf(announcement), await boxOf(summary))).toBe(false)
      expect(await isOnTop(summary.getByRole('button', { name: 'Close the summary' }))).toBe(true)
    }
    const { y } = await boxOf(summary)
    await page.getByRole('button', { name: 'Dismiss this announcement' }).click()
    await expect.poll(async () => (await boxOf(summary)).y).toBeLessThan(y)
  },
)

test(
  'at 320, 390 and 768 px the bar has the wallet button of a visitor, and the profile fits (S-14)',
  VARIANT,
  async ({ page }) => {
    const button = page.getByRole('banner').first().getByRole('button').filter({ visible: true }).last()
    const atEveryWidth = async (check: () => Promise<unknown>) => {
      for (const width of [320, 390, 768]) {
        await page.setViewportSize({ width, height: 844 })
        await check()
      }
    }
    for (const path of ['/buy-pickers', '/marketplace']) {
      await page.goto(path)
      await closeGreeting(page)
      await atEveryWidth(() => expect(button).toHaveText('Connect wallet'))
    }
    await playWithResponses(page)
    await page.goto('/marketplace')
    await button.click()
    await expect(page).toHaveURL(/\/profile$/)
    await atEveryWidth(() => expectNoSidewaysScroll(page))
  },
)

test(
  'the wallet button of the drawer opens the profile and closes the drawer (S-11)',
  VARIANT_ON_BOTH,
  async ({ page }) => {
    test.skip(!isPhone(page), 'only phones have a drawer')
    await playWithResponses(page)
    await page.goto('/buy-pickers')
    await page.getByRole('button', { name: 'Open menu' }).click()
    const menu = page.getByRole('complementary', { name: 'Main menu' })
    await menu.getByRole('button', { name: `Wallet ${SHORT}, open profile` }).click()
    await expect(page).toHaveURL(/\/profile$/)
    await expect(menu).toBeHidden()
  },
)

test(
  'a card that appears while the drawer is open is inert, and stays when the drawer closes',
  VARIANT,
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const announcements = [{ id: 'restart', text: 'The game restarts.', until: '2099-01-01T00:00:00Z' }]
    await playWithResponses(page, (name, whole) =>
      name === 'readSite' ? { ...RESPONSES.readSite, announcements } : whole,
    )
    const lastSeen = `${WALLET} ${Date.now() - 7_200_000}`
    await page.addInitScript((value) => localStorage.setItem('lastSeen', value), lastSeen)
    const absence = await delayResponses(page, '**/api/users/last-seen')
    await page.goto('/terms')
    const dismiss = page.getByLabel('Dismiss this announcement')
    await expect(dismiss).toBeVisible()
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(page.locator('#main')).toHaveAttribute('inert')
    absence.release()
    const summary = page.locator('[aria-labelledby="while-away-title"]')
    await expect(summary).toBeVisible()
    for (const card of [summary, dismiss])
      await expect(card.locator('xpath=ancestor-or-self::*[@inert]')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.locator('[inert]')).toHaveCount(0)
    await expect(summary).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(summary).toBeHidden()
  },
)

test(
  'a land card shows its tier, and a market card its price in tokens (S-34, S-40)',
  VARIANT_ON_BOTH,
  async ({ page }) => {
    await playWithResponses(page)
    await page.goto('/parcels/EU')
    const tier = page.locator('[data-parcel="EU-MT"]').getByText('Tier 2', { exact: true })
    await tier.scrollIntoViewIfNeeded()
    await expect(tier).toBeVisible()
    expect((await boxOf(tier)).width).toBeGreaterThan(20)
    await page.goto('/marketplace')
    const tokens = page.locator('[data-listing]').first().getByText('tokens', { exact: true })
    await tokens.scrollIntoViewIfNeeded()
    expect((await boxOf(tokens)).width).toBeGreaterThan(20)
  },
)

test('the filters are visible when nothing is listed (S-39)', VARIANT, async ({ page }) => {
  await playWithResponses(page, (name, whole) =>
    name === 'readListings' ? { success: true, open: true, listings: [] } : whole,
  )
  await page.goto('/marketplace')
  await expect(page.getByText('No land for sale right now.')).toBeVisible()
  for (const label of ['Continent', 'Type', 'Sort by']) await expect(page.getByLabel(label)).toBeVisible()
})

test(
  'figures are floored, and a movement shows its exact amount once (S-62, X-06)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await playWithResponses(page)
    await page.goto('/profile?section=deposit')
    const history = page.getByRole('region', { name: 'Transaction History' })
    await expect(history.getByText('+1,234', { exact: true }).first()).toBeVisible()
    await expect(history.getByText(/exactly 1,234\.5 \$COTTON/).first()).toBeVisible()
    await expect(history.getByText('−50,000', { exact: true })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Withdrawals' })).toContainText('10.5 $COTTON')
    await expect(page.getByRole('region', { name: 'Deposit', exact: true })).toContainText('In your wallet12')
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
    await expect(dialog.getByText('Withdrawable now').locator('..')).toHaveText('Withdrawable now800')
  },
)

test(
  'of two toasts at the same moment the second waits until the first is gone',
  VARIANT,
  async ({ page }) => {
    await installClock(page)
    await playWithResponses(page)
    await page.route('**/api/workers/purchase', (route) => {
      const { workerType } = route.request().postDataJSON() as { workerType: string }
      const worker = { workerId: `${workerType}-0042`, workerType }
      return route.fulfill({ json: { success: true, worker, message: '', newBalance: 350_000 } })
    })
    const delayed = await delayResponses(page, '**/api/workers/purchase')
    await page.goto('/buy-pickers')
    const names = ['kid', 'grandma']
    for (const name of names)
      await page.getByRole('region', { name, exact: true }).getByRole('button', { name: 'BUY' }).click()
    await expect.poll(() => delayed.callCount).toBe(2)
    await pauseClock(page)
    delayed.release()
    const toasts = page.getByRole('region', { name: 'Notifications' }).locator(':scope > *')
    const visible = toasts.filter({ visible: true })
    await expect(async () => {
      await page.clock.runFor(10)
      await expect(toasts).toHaveCount(2, { timeout: 50 })
    }).toPass()
    const first = await visible.innerText()
    await page.clock.runFor(5_500)
    await expect(visible).toHaveCount(1)
    const second = await visible.innerText()
    expect(second).not.toBe(first)
    await page.clock.runFor(5_500)
    await expect(toasts).toHaveCount(0)
  },
)
