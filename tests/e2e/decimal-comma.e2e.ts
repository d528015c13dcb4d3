import { DESKTOP_ONLY, expect, logIn, test } from './browser-test.ts'

test.use({ locale: 'de-DE' })

test('a comma typed in Germany becomes the point of an amount', DESKTOP_ONLY, async ({ page }) => {
  await page.goto('/profile?section=deposit')
  await logIn(page)
  const box = page.getByRole('region', { name: 'Deposit', exact: true })
  const amount = box.getByLabel('Amount to deposit')
  await amount.fill('3005')
  await amount.press('ArrowLeft')
  await amount.pressSequentially(',2')
  await expect(amount).toHaveValue('300.25')
  await expect(box.getByRole('button', { name: 'Deposit 300 $COTTON' })).toBeVisible()
})
