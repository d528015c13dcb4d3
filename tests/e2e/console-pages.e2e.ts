import { expectAccessible, expectNoSidewaysScroll, ignoreOfflineErrors } from './browser-test.ts'
import { expect, openConsole, openPage, test } from './console-test.ts'

const PAGES = [
  ['Withdrawals', 'It is above WITHDRAWAL_REVIEW_ABOVE.'],
  ['Deposits', 'No deposit is pending.'],
  ['Players', '348,500.25'],
  ['World', 'North America'],
  ['Books', 'The treasury has enough for every approved payout.'],
  ['Ledger', 'Show more to search further.'],
  ['Log', 'Nothing was signed yet.'],
  ['Health', 'It has not written for 3 minutes. Start it: payouts wait.'],
  ['Today', 'The oldest withdrawal in review waits for 6 h 40 min. Decide on it.'],
] as const

test('every page shows its content, takes the focus on its heading, and is accessible in light and dark', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
  await expectAccessible(page)
  await openConsole(page)
  for (const [name, content] of PAGES) {
    await openPage(page, name)
    await expect(page.getByText(content).first()).toBeVisible()
    await expect(page).toHaveTitle(`${name} · Cotton Farm operators`)
    await expectNoSidewaysScroll(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
  }
})

test('an item and a player are accessible and fit the window', async ({ page, standIn }) => {
  const [first] = standIn.world.withdrawals
  await openConsole(page, `/withdrawals/${first!.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Withdrawal of 150,000 $COTTON' })).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Reject' }).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'The player' }).getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: /^Player/ })).toBeFocused()
  await expect(page.getByText('Firefox on Linux')).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test('the chosen colours stay after a reload', { tag: '@once' }, async ({ page }) => {
  await openConsole(page)
  await page.getByRole('combobox', { name: 'Colours' }).selectOption('Dark')
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const dark = await ground()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  expect(await ground()).toBe(dark)
  await page.getByRole('combobox', { name: 'Colours' }).selectOption('Light')
  expect(await ground()).not.toBe(dark)
})

test('a chart has its values as a table, by hour and by day', { tag: '@once' }, async ({ page }) => {
  await openConsole(page)
  const chart = page.getByRole('figure', { name: /^Claims/ })
  await chart.getByText('Show as a table').click()
  await expect(chart.getByRole('row')).toHaveCount(25)
  await page.getByRole('button', { name: '30 days' }).click()
  await expect(chart.getByRole('row')).toHaveCount(31)
})

test('a filter is part of the address, and says when it is not valid', { tag: '@once' }, async ({ page }) => {
  await openConsole(page, '/withdrawals')
  await page.getByRole('combobox', { name: 'State' }).selectOption('Paid')
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await page.getByRole('textbox', { name: 'Wallet' }).fill('0OIl')
  await expect(page.getByText('This is not a wallet address.')).toBeVisible()
  expect(new URL(page.url()).search).toBe('?state=finalized&wallet=0OIl')
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('finalized')
})

test('the ledger reads page after page and can be saved as CSV', { tag: '@once' }, async ({ page }) => {
  await openConsole(page, '/ledger')
  await expect(page.getByRole('rowheader')).toHaveCount(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(page.getByRole('rowheader')).toHaveCount(100)
  await expect(page.getByText('All 100 are shown')).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  expect((await saved).suggestedFilename()).toBe('journals.csv')
})

test('a new withdrawal appears by itself', { tag: '@once' }, async ({ page, standIn }) => {
  await openConsole(page, '/withdrawals')
  await expect(page.getByRole('rowheader')).toHaveCount(4)
  const [first] = standIn.world.withdrawals
  standIn.world.withdrawals.unshift({
    ...first!,
    id: '0199a3f2-1111-7000-8000-000000000099',
    amount: '777777',
  })
  standIn.world.version += 1
  await expect(page.getByRole('cell', { name: '777,777' })).toBeVisible()
})

test(
  'a session that has ended leads to the login, which says so',
  { tag: '@once' },
  async ({ page, standIn }) => {
    await openConsole(page, '/players')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Players' })).toBeVisible()
    standIn.endSessions()
    await expect(page.getByText('Your session has ended. Log in again.')).toBeVisible()
    await page.getByRole('button', { name: 'Use the test wallet of this browser' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Players' })).toBeVisible()
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByText('You are logged out.')).toBeVisible()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  },
)

test('a page that nobody uses logs out', { tag: '@once' }, async ({ page }) => {
  await page.clock.install()
  await openConsole(page)
  await expect(page.getByText('What is wrong')).toBeVisible()
  await page.clock.fastForward('31:00')
  await expect(page.getByText('Nobody used this page for a while, so you were logged out.')).toBeVisible()
})

test(
  'without an answer the page says that it is out of date, and nothing can be decided',
  { tag: '@once' },
  async ({ page, context, standIn, complaints }) => {
    const [first] = standIn.world.withdrawals
    await openConsole(page, `/withdrawals/${first!.id}`)
    await page.getByRole('button', { name: 'Approve' }).click()
    await context.setOffline(true)
    await expect(page.getByText('Not up to date')).toBeVisible({ timeout: 30_000 })
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(/^The console has not answered since/)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Show the message' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await context.setOffline(false)
    await expect(dialog.getByText(/^The console has not answered since/)).toBeHidden()
    ignoreOfflineErrors(complaints)
  },
)

test('a failed read says why and can be tried again', { tag: '@once' }, async ({ page }) => {
  let fails = true
  await page.route('**/api/console/health', (route) =>
    fails
      ? route.fulfill({
          status: 403,
          json: { success: false, code: 'right_missing', message: 'This needs the right "view".' },
        })
      : route.continue(),
  )
  await openConsole(page, '/health')
  await expect(page.getByRole('alert')).toContainText('This needs the right "view".')
  fails = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('rowheader', { name: 'signer' })).toBeVisible()
})

test('an address without a page says so', { tag: '@once' }, async ({ page }) => {
  await openConsole(page, '/nothing')
  await expect(page.getByRole('heading', { level: 1, name: 'There is no such page' })).toBeVisible()
  await page.getByRole('link', { name: 'To Today' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeFocused()
})

test.describe('a wallet that is no operator', () => {
  test.use({ operators: [] })
  test('is refused in words', { tag: '@once' }, async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Use the test wallet of this browser' }).click()
    await expect(page.getByRole('alert')).toContainText(
      'This wallet is not in the operators’ file of this game.',
    )
  })
})
