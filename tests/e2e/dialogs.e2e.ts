import { DESKTOP_ONLY, expect, test } from './browser-test.ts'
import { playWithResponses } from './response-fixtures.ts'

// So low that every page scrolls.
test.use({ viewport: { width: 900, height: 500 } })

test(
  'a page that is left with two open dialogs leaves the next one scrollable',
  DESKTOP_ONLY,
  async ({ page }) => {
    await playWithResponses(page)
    await page.goto('/parcels')
    await page.getByRole('list', { name: 'Continents' }).getByRole('link', { name: /^Europe/ }).click()
    await page.locator('[data-parcel="EU-FR"]').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sell this land' }).click()
    await expect(page.getByRole('dialog', { name: 'France' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'World Map' })).toBeFocused()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.mouse.move(600, 300)
    await page.mouse.wheel(0, 300)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
  },
)
