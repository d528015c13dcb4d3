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
  await page.getByRole('navigation', { name: 'Game' }).getByRole('link', { name: 'Profile' }).click()
  const account = page.getByRole('region', { name: 'Account Information' })
  await expect(account).toContainText('Deposit address')
  await page.reload()
  await expect(page.getByRole('dialog', { name: 'You need to be logged in' })).toBeVisible()
})
