import { expect, test, VARIANT } from './browser-test.ts'
import { playWithResponses } from './response-fixtures.ts'

const BEFORE = '4Nd1mYwJfYQ3yJ3n6YkVqLZ4uSGmZ3mHkYyM8x5o1Zqb'
const AFTER = '7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q'

test(
  'a player who returns to the page sees a new deposit address, if the game has lost the one before',
  VARIANT,
  async ({ page }) => {
    await page.clock.install()
    let depositWallet = BEFORE
    await playWithResponses(page, (name, whole) =>
      name === 'readDepositAddress' ? { success: true, depositWallet } : whole,
    )
    await page.goto('/profile')
    const account = page.getByRole('region', { name: 'Account Information' })
    await expect(account.getByText(BEFORE)).toBeVisible()
    depositWallet = AFTER
    await page.clock.runFor(6_000)
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect(account.getByText(AFTER)).toBeVisible()
    await expect(account.getByText(BEFORE)).toHaveCount(0)
  },
)
