import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { makeDataDir, runServer } from '#tests/support/run-server.ts'
import { createFundedPlayer, playAs } from './funded-player.ts'
import { installPhantom } from './fake-phantom.ts'
import {
  closeGreeting,
  expect,
  expectBothLayouts,
  expectAccessible,
  expectNoSidewaysScroll,
  ignoreOfflineErrors,
  goTo,
  isPhone,
  logIn,
  settle,
  DESKTOP_ONLY,
  test,
  VARIANT,
  PHONE_FIRST,
  DESKTOP_FIRST,
} from './browser-test.ts'

const firstSteps = (page: Page): Locator => page.getByRole('region', { name: 'First steps' })
const WALLET_LINKS: [name: string, download: string, base: string][] = [
  ['Phantom', 'https://phantom.com/download', 'https://phantom.app/ul/browse'],
  ['Solflare', 'https://www.solflare.com/download/', 'https://solflare.com/ul/v1/browse'],
  ['Backpack', 'https://backpack.app/download', 'https://backpack.app/ul/v1/browse'],
]
const loginPopup = (page: Page): Locator => page.getByRole('dialog', { name: 'You need to be logged in' })

test(
  'a newcomer is guided from the wallet to the first harvest once, step by step (X-26)',
  PHONE_FIRST,
  async ({ page }) => {
    test.slow()
    const steps = firstSteps(page)
    const fits = async () => {
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
    await page.goto('/buy-pickers')
    await closeGreeting(page)
    await expect(steps).toContainText('Step 1 of 4: Connect a wallet')
    await fits()
    await steps.getByRole('button', { name: 'Choose a wallet' }).click()
    await logIn(page)

    await expect(steps).toContainText('Step 2 of 4: Get $COTTON')
    await fits()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect(steps).toBeInViewport({ ratio: 1 })
    await steps.getByRole('button', { name: 'Get test tokens' }).press('Enter')
    await expect(steps).toContainText('Step 2 of 4: Deposit $COTTON')
    await expect(steps).toBeFocused()
    await expect(steps).toContainText('Your wallet holds 1,000,000 $COTTON.')
    await steps.getByRole('button', { name: 'Deposit 1,000,000' }).click()

    await expect(steps).toContainText('Step 3 of 4: Hire your first picker', { timeout: 30_000 })
    await steps.getByRole('button', { name: 'Show me' }).click()
    const buy = page.getByRole('region', { name: 'Kid' }).getByRole('button', { name: 'BUY' })
    await expect(buy).toBeFocused()
    await expect(buy).toBeInViewport()
    await page.keyboard.press('Enter')

    await expect(steps).toContainText('Step 4 of 4: Claim your cotton')
    await fits()
    await steps.getByRole('link', { name: 'To my farm' }).click()
    await expect(page.getByRole('button', { name: 'CLAIM', exact: true })).toBeVisible()
    const shifted = await recordLayoutShifts(page)
    await steps.getByRole('button', { name: 'Show me' }).click()
    await expect(page.getByRole('button', { name: 'CLAIM', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(steps).toContainText(/First harvest! \+\d+ \$COTTON/)
    await expect(page.getByRole('button', { name: 'CLAIM', exact: true })).toBeEnabled()
    expect(await shifted()).toBeLessThanOrEqual(0.02)
    await fits()
    const amount = await steps.getByText('First harvest!').textContent()
    await goTo(page, 'Profile')
    await expect(steps).toContainText(amount!)
    await steps.getByRole('link', { name: 'Hire another picker' }).click()
    await expect(steps).toBeHidden()
    await page.reload()
    await expect(buy).toBeVisible()
    await expect(steps).toBeHidden()
  },
)

/** The sum of all layout shifts from now on, those after an input included. */
async function recordLayoutShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const sum = { shifted: 0 }
    Object.assign(window, sum)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Reflect.set(window, 'shifted', Reflect.get(window, 'shifted') + Reflect.get(entry, 'value'))
    }).observe({ type: 'layout-shift' })
  })
  return () => page.evaluate(() => Reflect.get(window, 'shifted') as number)
}

test('a key hides the first steps for good, and the focus is not lost', VARIANT, async ({ page }) => {
  await page.goto('/buy-pickers')
  await closeGreeting(page)
  await firstSteps(page).getByRole('button', { name: 'Hide the first steps' }).press('Enter')
  await expect(firstSteps(page)).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()
  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  await page.goto('/myfarm')
  await logIn(page)
  await expect(firstSteps(page)).toBeHidden()
  expect(requestedUrls.filter((url) => /\/guide-[\w-]+\.js/.test(url))).toEqual([])
})

test('without the first steps, Buy Pickers leads to the test tokens', VARIANT, async ({ page, context }) => {
  await playAs(context, await createFundedPlayer(0))
  await page.addInitScript(() => localStorage.setItem('firstSteps', 'hidden'))
  await page.goto('/buy-pickers')
  await page.getByRole('link', { name: 'Get test tokens' }).click()
  await expect(page.getByRole('heading', { name: 'Test tokens', exact: true })).toBeFocused()
})

test(
  'a player who has claimed before never sees the first steps on any device',
  VARIANT,
  async ({ page, context }) => {
    const player = await createFundedPlayer(60_000)
    const { address: walletAddress } = player
    await player.call('POST', '/api/workers/purchase', { workerType: 'kid', walletAddress })
    await expect
      .poll(async () => (await player.call('POST', '/api/workers/claim-all', {})).status, { timeout: 10_000 })
      .toBe(200)
    await playAs(context, player)
    await page.addInitScript(() => {
      const checkFrame = (): void => {
        const steps = document.querySelector('section[aria-label="First steps"]')
        if (steps?.checkVisibility()) Reflect.set(window, 'wasSeen', true)
        requestAnimationFrame(checkFrame)
      }
      checkFrame()
    })
    await page.goto('/buy-pickers')
    await expect(page.getByRole('region', { name: 'Kid' }).getByRole('button', { name: 'BUY' })).toBeVisible()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('firstSteps'))).toBe('done')
    expect(await page.evaluate(() => Reflect.get(window, 'wasSeen'))).toBeUndefined()
  },
)

test('the hero page does not load the first steps', VARIANT, async ({ page }) => {
  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  await page.goto('/')
  await expect(loginPopup(page)).toBeVisible()
  await settle(page)
  expect(requestedUrls.some((url) => url.endsWith('.js'))).toBe(true)
  expect(requestedUrls.filter((url) => /\/(guide|layout|sale-notifier)-[\w-]+\.js/.test(url))).toEqual([])
})

test(
  'the terms are linked where money moves and are open to everyone (X-39)',
  DESKTOP_FIRST,
  async ({ page }) => {
    test.slow()
    const expectTerms = async () => {
      await expect(page).toHaveURL(/\/terms$/)
      await expect(page.getByRole('heading', { name: 'Earnings' })).toBeVisible()
    }
    await page.goto('/buy-pickers')
    await loginPopup(page).getByRole('link', { name: 'Terms and risks' }).click()
    await expectTerms()
    await expect(page.getByText('Only play with what you can afford to lose.')).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    await page.goto('/buy-pickers')
    await logIn(page)
    await page.getByRole('button', { name: 'View Kid' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Terms and risks' }).click()
    await expectTerms()
    await goTo(page, 'Profile')
    await page.getByRole('button', { name: 'Get Deposit Address' }).click()
    await page
      .getByRole('region', { name: 'Deposit', exact: true })
      .getByRole('link', { name: 'Terms and risks' })
      .click()
    await expectTerms()
    await page.goBack()
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('You can always withdraw unspent deposits.')
    await page.getByRole('dialog').getByRole('link', { name: 'Terms and risks' }).click()
    await expectTerms()
    if (isPhone(page)) await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('complementary').getByRole('link', { name: 'Terms and risks' }).click()
    await expectTerms()
  },
)

test('the page shows the operator’s terms, and an edit appears at once (X-39)', VARIANT, async ({ page }) => {
  test.setTimeout(120_000)
  const { dataDir, remove } = makeDataDir()
  const file = join(dataDir, 'terms.md')
  writeFileSync(file, '# Rules of Ada’s farm\n\nBe **kind**. See [the land](/parcels).\n\n- <img src=x>\n')
  const game = runServer({ dataDir })
  try {
    const url = await game.ready
    await page.goto(`${url}/terms`)
    await closeGreeting(page)
    await expect(page.getByRole('heading', { name: 'Rules of Ada’s farm' })).toBeVisible()
    await expect(page.getByRole('main').locator('b', { hasText: 'kind' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'the land' })).toHaveAttribute(
      'href',
      '/parcels',
    )
    await expect(page.getByRole('main').getByRole('listitem')).toHaveText('<img src=x>')
    await expect(page.getByText(/^Last changed on \d+ \w+ \d{4}$/)).toBeVisible()
    writeFileSync(file, '# New rules of Ada’s farm\n\nBe kinder.\n')
    await page.reload()
    await expect(page.getByRole('heading', { name: 'New rules of Ada’s farm' })).toBeVisible()
    // Its page would poll the game after it has ended.
    await page.goto('about:blank')
  } finally {
    game.pressCtrlC()
    await game.ended
    remove()
  }
})

test(
  'without a wallet the alert links to wallets; on a phone, also to the page in their browsers (X-11)',
  PHONE_FIRST,
  async ({ page }) => {
    await page.goto('/parcels/EU?regionName=Europe')
    await loginPopup(page).getByRole('button', { name: 'Connect wallet' }).click()
    const alert = page.getByRole('alertdialog')
    await expect(alert).toContainText('Phantom wallet not detected. Please install Phantom wallet extension.')
    const here = encodeURIComponent(page.url())
    const site = encodeURIComponent(new URL(page.url()).origin)
    for (const [name, download, base] of WALLET_LINKS) {
      await expect(alert.getByRole('link', { name: `Get the ${name} wallet` })).toHaveAttribute(
        'href',
        download,
      )
      const into = alert.getByRole('link', { name: `Open this page in ${name}` })
      if (isPhone(page)) await expect(into).toHaveAttribute('href', `${base}/${here}?ref=${site}`)
      else await expect(into).toHaveCount(0)
    }
    await expectAccessible(page)
  },
)

test(
  'a change of account in the wallet ends the session on the server, and the new one can log in',
  VARIANT,
  async ({ page }) => {
    const { addresses, switchAccount } = await installPhantom(page)
    const connect = () => loginPopup(page).getByRole('button', { name: 'Connect wallet' }).click()
    await page.goto('/buy-pickers')
    await connect()
    await expect(page.getByText('Logged in', { exact: true })).toBeVisible()
    const token = await page.evaluate(() => localStorage.getItem('token'))
    const first = () => page.request.get('/api/users/history', { headers: { 'x-auth-token': token! } })
    expect((await first()).status()).toBe(200)

    await switchAccount()
    await expect(page.getByText('You switched the account in your wallet')).toBeVisible()
    await expect.poll(async () => (await first()).status()).toBe(401)
    await connect()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('walletAddress'))).toBe(addresses[1])
  },
)

test(
  'an offline browser shows since when, until it is online (X-10)',
  VARIANT,
  async ({ page, context, complaints }) => {
    // A socket that is being opened would log an error.
    const firstFrame = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))
    await page.goto('/buy-pickers')
    await closeGreeting(page)
    await expect(page.getByRole('region', { name: 'Kid' })).toContainText(/Available[\d,]+/)
    await firstFrame
    await context.setOffline(true)
    const note = page.locator('output', { hasText: 'You are offline. You may be seeing old data.' })
    await expect(note).toBeVisible()
    // No image can be loaded for it while offline.
    await expect(page.locator('output:has-text("You are offline") img')).toHaveCount(0)
    await expect(page.locator('output:has-text("You are offline") svg')).toBeVisible()
    await expect(note).toContainText(/As of \d\d:\d\d:\d\d/)
    await expectBothLayouts(page)
    await context.setOffline(false)
    await expect(note).toBeHidden()
    ignoreOfflineErrors(complaints)
  },
)

test(
  'an unresponsive or busy server is reported until it answers; then the page reloads its data',
  VARIANT,
  async ({ page }) => {
    let status: 'up' | 'silent' | 'busy' = 'up'
    await page.route('**/api/**', (route) => {
      if (status === 'up') return route.continue()
      if (status === 'silent') return route.abort('connectionrefused')
      const body = JSON.stringify({ success: false, code: 'busy', message: 'The game is busy.' })
      return route.fulfill({ status: 503, contentType: 'application/json', body })
    })
    await playAs(page.context(), await createFundedPlayer(0))
    await page.goto('/buy-pickers')
    await expect(page.getByRole('region', { name: 'Kid' })).toContainText(/Available[\d,]+/)
    status = 'silent'
    const silent = page.getByText('Cannot reach the game. You may be seeing old data.')
    await expect(silent).toBeVisible({ timeout: 30_000 })
    status = 'busy'
    await expect(page.getByText('The game is busy or under maintenance.')).toBeVisible()
    await expect(page.getByText(/As of \d\d:\d\d:\d\d/)).toBeVisible()
    const read = page.waitForResponse((answer) => answer.url().endsWith('/api/workers/types') && answer.ok())
    status = 'up'
    await read
    await expect(page.getByText(/As of \d\d:\d\d:\d\d/)).toBeHidden()
  },
)

test(
  'paused withdrawals show the reason and the time before an amount can be entered (X-14)',
  DESKTOP_ONLY,
  async ({ page, context }) => {
    const player = await createFundedPlayer(0)
    await playAs(context, player)
    await page.route('**/api/users/withdrawable', async (route) => {
      const answer = await route.fetch()
      const pause = { reason: 'We are checking a late payout.', since: '2026-11-20T09:12:00.000Z' }
      await route.fulfill({ response: answer, json: { ...(await answer.json()), paused: true, pause } })
    })
    await page.goto('/profile')
    const panel = page.getByRole('region', { name: 'Wallet Management' })
    await expect(panel).toContainText('Reason, since 20 Nov, 09:12: We are checking a late payout.')
    await panel.getByRole('button', { name: 'Withdraw', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
    await expect(dialog.getByRole('alert')).toContainText('We are checking a late payout.')
    await expect(dialog.getByLabel('Amount to withdraw')).toHaveCount(0)
    await expect(dialog.getByRole('button', { name: 'Confirm' })).toBeDisabled()
    await expectBothLayouts(page)
  },
)
