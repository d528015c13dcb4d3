import { DESKTOP_ONLY, expect, expectHydrated, settle, test } from './browser-test.ts'
import { delayResponses } from './delay-responses.ts'
import { playWithResponses, RESPONSES } from './response-fixtures.ts'

// So low that every page scrolls.
test.use({ viewport: { width: 900, height: 500 } })

test(
  'a page that is left with two open dialogs leaves the next one scrollable',
  DESKTOP_ONLY,
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

test(
  'a dialog that waits for an answer stays open however often Escape is pressed',
  DESKTOP_ONLY,
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
