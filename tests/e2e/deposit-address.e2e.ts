import { expect, logIn, test, VARIANT } from './browser-test.ts'
import { delayResponses } from './delay-responses.ts'
import { installClock } from './page-clock.ts'
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

test('a deposit that has arrived is shown until the player leaves', VARIANT, async ({ page }) => {
  await page.goto('/profile?section=deposit')
  await logIn(page)
  await page.getByRole('region', { name: 'Test tokens' }).getByRole('button').click()
  const box = page.getByRole('region', { name: 'Deposit', exact: true })
  await box.getByRole('button', { name: '1 Kid' }).click()
  await box.getByRole('button', { name: 'Deposit 50,000 $COTTON' }).click()
  await expect(box).toContainText('50,000 $COTTON arrived')
  const menu = page.getByRole('complementary', { name: 'Main menu' })
  await menu.getByRole('link', { name: 'Open Books' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Open Books' })).toBeVisible()
  await menu.getByRole('link', { name: 'Deposit' }).click()
  await expect(box.getByLabel('Amount to deposit')).toBeVisible()
  await expect(box.getByText('50,000 $COTTON arrived')).toHaveCount(0)
})

test(
  'the wallet is read every few seconds beside the form of a deposit, and rarely elsewhere',
  VARIANT,
  async ({ page }) => {
    await installClock(page)
    let reads = 0
    await playWithResponses(page, (name, whole) => {
      if (name === 'readWalletBalance') reads += 1
      return whole
    })
    // Whatever the page has requested before is counted then.
    const countReads = async (): Promise<number> => {
      await page.evaluate(() => fetch('/api/users/last-seen').then((response) => response.text()))
      return reads
    }
    await page.goto('/profile')
    await expect(page.getByRole('region', { name: 'Account Information' })).toContainText('In your wallet12')
    const before = await countReads()
    await page.clock.runFor(10_000)
    expect(await countReads()).toBe(before)

    await page.getByRole('button', { name: 'Get Deposit Address' }).click()
    await expect(page.getByLabel('Amount to deposit')).toBeVisible()
    const opened = await countReads()
    await page.clock.runFor(10_000)
    expect(await countReads()).toBeGreaterThan(opened)
  },
)

test('the button of a deposit is busy while the wallet is read again', VARIANT, async ({ page }) => {
  await playWithResponses(page)
  await page.goto('/profile?section=deposit')
  const box = page.getByRole('region', { name: 'Deposit', exact: true })
  await expect(box).toContainText('In your wallet12')
  const delayed = await delayResponses(page, '**/api/deposits/wallet-balance')
  const amount = box.getByLabel('Amount to deposit')
  await amount.fill('20')
  await box.getByRole('button', { name: 'Deposit 20 $COTTON' }).click()
  await expect(box.getByRole('button', { name: 'Reading your wallet…' })).toHaveAttribute('aria-busy', 'true')
  await amount.fill('30')
  await box.getByRole('button', { name: 'Deposit 30 $COTTON' }).click()
  await expect(box.getByRole('button', { name: 'Reading your wallet…' })).toHaveAttribute('aria-busy', 'true')
  delayed.release()
  await expect(box.getByText('Your wallet holds only 12 $COTTON.')).toBeVisible()
  const send = box.getByRole('button', { name: 'Deposit 30 $COTTON' })
  await expect(send).not.toHaveAttribute('aria-busy')
})
