import { createFundedPlayer, playAs } from './funded-player.ts'
import {
  closeGreeting,
  expect,
  expectAccessible,
  DESKTOP_ONLY,
  test,
  expectBothLayouts,
  VARIANT,
} from './browser-test.ts'

test(
  'everyone can open the books and see that every token is covered (X-30)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await page.goto('/buy-pickers')
    await closeGreeting(page)
    await page.getByRole('link', { name: 'Open books' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Open Books' })).toBeVisible()
    const reserve = page.getByRole('region', { name: 'Is every token backed?' })
    await expect(reserve.getByText(/^Yes\. Every token that the game owes is on the chain/)).toBeVisible()
    await expect(reserve.getByText(/^100%/)).toBeVisible()
    await expect(reserve.getByRole('region', { name: 'Tokens on the chain' })).toContainText(
      'In the treasury',
    )
    await expect(reserve.getByRole('region', { name: 'What the game owes' })).toContainText('Reward pool')
    await expect(reserve.getByText(/^Checked at .*, block [\d,]+\./)).toBeVisible()
    await expect(page.getByRole('table')).toContainText('Last 24 hours')
    await expect(page.getByRole('region', { name: 'Today’s reward budget' })).toContainText(
      'no return is promised',
    )
    await expect(page.getByRole('region', { name: 'Pending withdrawals' })).toBeVisible()
    await expectBothLayouts(page)
    expect(await (await page.request.get('/readyz')).json()).toEqual({ status: 'ok', reserve: 'covered' })
  },
)

test('books that fail to load show a message, retry, and open once they can', VARIANT, async ({ page }) => {
  await page.route('**/api/transparency', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto('/transparency')
  await closeGreeting(page)
  await expect(page.getByRole('alert')).toContainText('The books could not be loaded.', { timeout: 20_000 })
  await expectAccessible(page)
  const retried = page.waitForRequest('**/api/transparency', { timeout: 5_000 })
  await page.getByRole('button', { name: 'Try again' }).click()
  await retried
  await page.unroute('**/api/transparency')
  await expect(page.getByRole('region', { name: 'Is every token backed?' })).toBeVisible({
    timeout: 30_000,
  })
})

test('missing tokens, a pause and the queue are described in a sentence each', VARIANT, async ({ page }) => {
  await page.route('**/api/transparency', async (route) => {
    const books = await (await route.fetch()).json()
    const instant = '2026-11-20T09:12:31.000Z'
    books.reserve = { ...books.reserve, standing: 'short', tokens: 999.5, owed: 1_000 }
    books.pause = { reason: 'We are investigating.', since: instant }
    books.queue = [{ state: 'review', count: 2, amount: 1_234_567, oldest: instant }]
    await route.fulfill({ json: books })
  })
  await page.goto('/transparency')
  await closeGreeting(page)
  await expect(page.getByText('No. 0.5 $COTTON are missing.')).toBeVisible()
  await expect(page.getByText('99.9%')).toBeVisible()
  const queue = page.getByRole('region', { name: 'Pending withdrawals' })
  await expect(queue.getByRole('alert')).toContainText('We are investigating.')
  await expect(queue).toContainText('2 withdrawals')
  await expect(queue).toContainText('1,234,567')
  await expectAccessible(page)
})

test('tokens in cold storage are listed separately, with their wallets', VARIANT, async ({ page }) => {
  const wallets = [
    'BLTERi331Y2XQKVd5hGEPgQe28pzhSXud3oodfrcRHJC',
    '7s64QgFx4czRWJjsJYFp51A7TBkBwpP4ubZyXc33Tm2J',
  ]
  await page.route('**/api/transparency', async (route) => {
    const books = await (await route.fetch()).json()
    books.reserve = { ...books.reserve, cold: 1_234_567, coldWallets: wallets }
    await route.fulfill({ json: books })
  })
  await page.goto('/transparency')
  await closeGreeting(page)
  const reserve = page.getByRole('region', { name: 'Is every token backed?' })
  await expect(reserve.getByRole('region', { name: 'Tokens on the chain' })).toContainText(
    /In cold storage\s*1,234,567/,
  )
  await expect(reserve.getByText(wallets[0]!)).toBeHidden()
  await reserve.getByText('Which 2 wallets are cold storage?').click()
  for (const wallet of wallets) await expect(reserve.getByText(wallet)).toBeVisible()
  await expectBothLayouts(page)
})

test(
  'the withdrawal dialog shows the reserve, today’s budget and whether the request fits (N-01)',
  DESKTOP_ONLY,
  async ({ page, context }) => {
    await playAs(context, await createFundedPlayer(500))
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
    const meter = dialog.getByRole('region', { name: 'Token reserve' })
    await expect(meter).toContainText(/Reserve 100(\.\d)?% · today’s budget [\d,]+/)
    await expect(meter.getByRole('progressbar')).toBeHidden()
    await meter.getByText('Why?').click()
    await expect(meter.getByRole('progressbar')).toHaveAttribute(
      'aria-valuetext',
      /^100(\.\d)?% of what is owed$/,
    )
    await expect(meter).toContainText('Reward budget left')
    const fill = dialog.getByRole('status')
    await expect(fill).toContainText('Enter an amount to check it')
    const amount = dialog.getByLabel('Amount to withdraw')
    await amount.fill('500')
    await expect(fill).toContainText('Available now.')
    await amount.fill('500.000001')
    await expect(fill).toContainText('This is more than your balance.')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Right now you can withdraw at most 500 $COTTON.')
    await expect(fill).not.toContainText('Available now.')
    // The error is about the previous amount.
    await amount.fill('400')
    await expect(dialog.getByRole('alert')).toHaveText('')
    await expect(fill).toContainText('Available now.')
    await expectBothLayouts(page)
    await meter.getByRole('link', { name: 'Open books' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Open Books' })).toBeVisible()
    await expect(dialog).toBeHidden()
  },
)
