import { DESKTOP_ONLY, expect, logIn, test } from './browser-test.ts'

test('a browser that blocks its storage plays until a reload', DESKTOP_ONLY, async ({ page }) => {
  await page.addInitScript(() => {
    const get = (): never => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    Object.defineProperty(window, 'localStorage', { get })
  })
  await page.goto('/buy-pickers')
  await expect(page.locator('html')).toHaveAttribute('data-time', /./)
  await logIn(page)
  const menu = page.getByRole('complementary', { name: 'Main menu' })
  await menu.getByRole('button', { name: 'Settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByText('Reduced', { exact: true }).click()
  await settings.getByText('Dusk', { exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-motion', 'reduced')
  await expect(page.locator('html')).toHaveAttribute('data-time', 'dusk')
  await settings.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('navigation', { name: 'Game' }).getByRole('link', { name: 'Profile' }).click()
  const account = page.getByRole('region', { name: 'Account Information' })
  await expect(account).toContainText('Deposit address')
  await page.reload()
  await expect(page.getByRole('dialog', { name: 'You need to be logged in' })).toBeVisible()
})
