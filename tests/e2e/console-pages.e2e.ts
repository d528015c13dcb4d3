import type { Page } from '@playwright/test'
import {
  expectAccessible,
  expectBothLayouts,
  expectNoSidewaysScroll,
  findViolations,
  isPhone,
  VARIANT,
  VARIANT_ON_BOTH,
} from './browser-test.ts'
import {
  createPlayer,
  nameOperators,
  OPERATORS,
  operatorNamed,
  requestWithdrawal,
  runText,
} from './console-game.ts'
import { expect, factOf, logIn, openConsole, openPage, test } from './console-test.ts'
import { delayResponses } from './delay-responses.ts'

const PAGES = [
  ['Withdrawals', /, 148,000 \$COTTON to/],
  ['Deposits', 'No deposit is pending.'],
  ['Players', /^active$/],
  ['World', 'North America'],
  ['Books', 'Held for withdrawals'],
  ['Ledger', 'Adjustment'],
  ['Log', 'log in'],
  ['Health', 'It signs payouts.'],
  ['Today', 'No backup was ever made. Set BACKUP_EVERY.'],
] as const

/** Dark colours differ from light ones in their contrast only. */
async function expectAccessibleInDark(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findViolations(page, { rules: ['color-contrast'] })).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
}

test(
  'every page shows its content, takes the focus on its heading, and is accessible in light and dark',
  VARIANT_ON_BOTH,
  async ({ page }) => {
    // Axe takes most of it.
    test.slow()
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
    await expectAccessible(page)
    const delayed = await delayResponses(page, '**/api/console/nonce')
    await page.getByRole('button', { name: 'Phantom' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('button', { name: 'Phantom' })).toBeFocused()
    delayed.release()
    await logIn(page)
    for (const [name, content] of PAGES) {
      await openPage(page, name)
      await expect(page.getByText(content).filter({ visible: true }).first()).toBeVisible()
      await expect(page).toHaveTitle(`${name} · Cotton Farm operators`)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      if (!isPhone(page)) await expectAccessibleInDark(page)
    }
  },
)

test('an item and a player are accessible and fit the window', VARIANT, async ({ page, game }) => {
  const player = await createPlayer(game, 5_000)
  const id = await requestWithdrawal(game, player, 3_300)
  await openConsole(page, `/withdrawals/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Withdrawal of 3,300 $COTTON' })).toBeVisible()
  await expectBothLayouts(page)
  await page.getByRole('button', { name: 'Reject' }).click()
  await expectBothLayouts(page)
  await expectAccessibleInDark(page)
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'The player' }).getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: /^Player/ })).toBeFocused()
  await expect(page.getByRole('region', { name: 'Sessions' }).getByText('active')).toBeVisible()
  await expectBothLayouts(page)
  await expectAccessibleInDark(page)
})

test('the chosen colours stay after a reload', VARIANT, async ({ page }) => {
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

test('a chart has its values as a table, by hour and by day', VARIANT, async ({ page }) => {
  await openConsole(page)
  const chart = page.getByRole('figure', { name: /^Claims/ })
  await chart.getByText('Show as a table').click()
  await expect(chart.getByRole('row')).toHaveCount(25)
  await page.getByRole('button', { name: '30 days' }).click()
  // Today, the 29 days before it, and the head.
  await expect(chart.getByRole('row')).toHaveCount(31)
})

test('a filter is part of the address, and says when it is not valid', VARIANT, async ({ page }) => {
  await openConsole(page, '/deposits')
  await page.getByRole('combobox', { name: 'Which' }).selectOption('Of no player')
  await expect(page.getByRole('row', { name: /not assigned to a player/ }).first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Wallet' }).fill('0OIl')
  await expect(page.getByText('This is not a wallet address.')).toBeVisible()
  expect(new URL(page.url()).search).toBe('?view=unassigned&wallet=0OIl')
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Which' })).toHaveValue('unassigned')
})

test(
  'the ledger reads page after page and can be searched and saved as CSV',
  VARIANT,
  async ({ page, game }) => {
    await openConsole(page, '/ledger')
    await expect(page.getByRole('rowheader')).toHaveCount(50)
    // The second page is the last one, so that the button disappears.
    await page.route(/\/ledger\?.*cursor=/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), next: null } })
    })
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => page.getByRole('rowheader').count()).toBeGreaterThan(50)
    // The first row is the head.
    await expect(page.getByRole('row').nth(51)).toBeFocused()
    const { address } = await createPlayer(game, 6_543)
    await page.getByRole('textbox', { name: 'Wallet' }).fill(address)
    await expect(page.getByRole('rowheader')).toHaveCount(1)
    await expect(page.getByText('6,543').first()).toBeVisible()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    expect((await saved).suggestedFilename()).toBe('journals.csv')
  },
)

test('a new withdrawal appears by itself', VARIANT, async ({ page, game }) => {
  await openConsole(page, '/withdrawals')
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await requestWithdrawal(game, await createPlayer(game, 7_777), 7_777)
  await expect(page.getByRole('link', { name: /, 7,777 \$COTTON to/ })).toBeVisible()
})

test('balances and ledger of a player follow what the player does', VARIANT, async ({ page, game }) => {
  const player = await createPlayer(game, 160_000)
  const id = await requestWithdrawal(game, player, 4_000)
  const hire = () =>
    player.call('POST', '/api/workers/purchase', { workerType: 'kid', walletAddress: player.address })
  await page.clock.install()
  await openConsole(page, `/withdrawals/${id}`)
  const panel = page.getByRole('region', { name: 'The player' })
  await expect(factOf(panel, 'Deposited')).toHaveText('156,000')
  expect((await hire()).status).toBe(200)
  await page.clock.fastForward('00:31')
  await expect(factOf(panel, 'Deposited')).toHaveText('106,000')
  await panel.getByRole('link').click()
  const hires = page.getByRole('region', { name: 'Ledger' }).first().getByText('Hire', { exact: true })
  await expect(hires).toHaveCount(1)
  expect((await hire()).status).toBe(200)
  await page.clock.fastForward('00:31')
  await expect(hires).toHaveCount(2)
})

test.describe('an operator whose sessions are ended', () => {
  test.use({ operator: 'Zoe' })
  test('is led to the login, which says so', VARIANT, async ({ page, game }) => {
    await openConsole(page, '/players')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Players' })).toBeVisible()
    const { wallet } = operatorNamed('Zoe')
    await runText(game.db, 'update console_sessions set ended_at = now() where wallet = $1', wallet)
    await expect(page.getByText('Your session has ended. Log in again.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeFocused()
    await logIn(page)
    await expect(page.getByRole('heading', { level: 1, name: 'Players' })).toBeVisible()
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByText('You are logged out.')).toBeVisible()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })
})

test('a page that nobody uses logs out, and the last one of a session ends it', VARIANT, async ({ page }) => {
  const unused = 'Nobody used this page for a while, so you were logged out.'
  await page.clock.install()
  await openConsole(page)
  await expect(page.getByText('What is wrong')).toBeVisible()
  // The browser copies the session, as it does when a tab is duplicated.
  const opening = page.waitForEvent('popup')
  await page.evaluate(() => void window.open('/'))
  const duplicate = await opening
  await expect(duplicate.getByText('What is wrong')).toBeVisible()
  await page.clock.fastForward('20:00')
  await page.keyboard.press('Shift')
  await page.clock.fastForward('11:00')
  await expect(duplicate.getByText(unused)).toBeVisible()
  await openPage(page, 'Log')
  await expect(page.getByText('log in').filter({ visible: true }).first()).toBeVisible()
  await duplicate.close()
  const warning = page.getByRole('status').getByText('You will be logged out soon')
  await page.clock.fastForward('29:00')
  await expect(warning).toBeVisible()
  await page.keyboard.press('Shift')
  await expect(warning).toBeHidden()
  const ending = page.waitForRequest('**/api/console/logout')
  await page.clock.fastForward('31:00')
  await expect(page.getByText(unused)).toBeVisible()
  await ending
})

test('a failed read says why and can be tried again', VARIANT, async ({ page }) => {
  let fails = true
  await page.route('**/api/console/health', (route) => (fails ? route.abort() : route.continue()))
  await openConsole(page, '/health')
  await expect(page.getByRole('alert')).toBeVisible({ timeout: 30_000 })
  fails = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('rowheader', { name: 'signer' })).toBeVisible()
})

test('an address without a page says so', VARIANT, async ({ page }) => {
  await openConsole(page, '/nothing')
  await expect(page.getByRole('heading', { level: 1, name: 'There is no such page' })).toBeVisible()
  await page.getByRole('link', { name: 'To Today' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeFocused()
})

test.describe('a wallet that the operators’ file does not name', () => {
  test.use({ operator: 'Uma' })
  test(
    'is refused with a clear message, let in once it is named, and out again with the next call',
    VARIANT,
    async ({ page, game }) => {
      const phantom = page.getByRole('button', { name: 'Phantom' })
      await page.goto('/')
      await phantom.click()
      await expect(page.getByRole('alert')).toContainText(
        'This wallet is not in the operators’ file of this game.',
      )
      nameOperators(game, { ...OPERATORS, Uma: ['view'] })
      // The console reads the file with each call.
      await expect(async () => {
        await phantom.click()
        await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible({ timeout: 2_000 })
      }).toPass()
      nameOperators(game)
      await expect(phantom).toBeVisible()
      await expect(page.getByText(/no longer in the operators’ file/)).toBeVisible()
    },
  )
})
