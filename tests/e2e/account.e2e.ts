import type { Page } from '@playwright/test'
import { playWithBalance, stubBalance } from './delay-responses.ts'
import { expectToastToStay, pauseClock, installClock } from './page-clock.ts'
import {
  expect,
  expectBothLayouts,
  expectAccessible,
  logIn,
  DESKTOP_ONLY,
  test,
  VARIANT,
} from './browser-test.ts'

const toast = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

test(
  'the profile shows wallet, balance and deposit address, and no sample events (S-24, S-25, S-26, S-27, S-30)',
  DESKTOP_ONLY,
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { address, call } = await playWithBalance(page, 1_234.999999)
    await page.goto('/profile')
    const account = page.getByRole('region', { name: 'Account Information' })
    await expect(account).toContainText('1,234 $COTTON')
    await expect(account).toContainText(`${address.slice(0, 6)}…${address.slice(-4)}`)
    const { depositWallet } = (await call('GET', '/api/users/deposit-address')).body as {
      depositWallet: string
    }
    await expect(account).toContainText(depositWallet)
    await account.getByRole('button', { name: 'Copy' }).click()
    const alert = page.getByRole('alertdialog', { name: 'Copied to clipboard!' })
    await alert.getByRole('button', { name: 'OK' }).click()
    await expect(alert).toBeHidden()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(depositWallet)
    await page.evaluate(() => void Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await account.getByRole('button', { name: 'Copy' }).click()
    const blocked = page.getByRole('alertdialog', { name: /blocked copying/ })
    await blocked.getByRole('button', { name: 'OK' }).click()

    await expect(page.getByText('Nothing has happened yet.')).toBeVisible()
    await expect(page.getByText('You own no land yet.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Withdrawals' })).toHaveCount(0)

    const management = page.getByRole('region', { name: 'Wallet Management' })
    await expect(management.getByRole('button')).toHaveText([
      'Check Deposits',
      'Get Deposit Address',
      'Withdraw',
    ])
    await management.getByRole('button', { name: 'Get Deposit Address' }).click()
    const box = page.getByRole('region', { name: 'Deposit', exact: true })
    await expect(box).toContainText('Send tokens to this address:')
    await expect(box).toContainText(depositWallet)
    await expect(box).toContainText('Only send $COTTON tokens')
    const boxTitle = page.getByRole('heading', { name: 'Deposit', exact: true })
    await expect(boxTitle).toBeFocused()
    await management.getByRole('button', { name: 'Get Deposit Address' }).click()
    await expect(boxTitle).toBeFocused()
    await box.getByRole('button', { name: 'Close' }).click()
    await expect(box).toHaveCount(0)
    await expect(management.getByRole('heading')).toBeFocused()
    await expect(page).toHaveURL(/\/profile$/)
  },
)

test(
  'a deposit that fails says why below its button, and can be sent again',
  DESKTOP_ONLY,
  async ({ page }) => {
    await page.goto('/profile?section=deposit')
    await logIn(page)
    await page.getByRole('region', { name: 'Test tokens' }).getByRole('button').click()
    const box = page.getByRole('region', { name: 'Deposit', exact: true })
    await expect(box.getByLabel('Amount to deposit')).toHaveValue('1000000')
    await box.getByRole('button', { name: '1 Kid' }).click()
    const send = box.getByRole('button', { name: 'Deposit 50,000 $COTTON' })
    const problem = box.getByRole('alert').filter({ hasText: /\w/ })

    await page.route('**/api/deposits/transaction', (route) => {
      const json = { success: false, code: 'chain_unreachable', message: 'The chain does not answer.' }
      return route.fulfill({ status: 503, json })
    })
    await box.getByLabel('Amount to deposit').press('Enter')
    await expect(problem).toHaveText('The chain does not answer.')
    await expect(send).toBeFocused()
    await expect(box.getByLabel('Amount to deposit')).toHaveValue('50000')
    await box.getByRole('button', { name: 'Max' }).click()
    await expect(problem).toHaveCount(0)
    await page.unroute('**/api/deposits/transaction')

    await page.route('**/api/deposits/submit', (route) => route.abort())
    await box.getByRole('button', { name: '1 Kid' }).click()
    await send.click()
    await expect(problem).toContainText('we cannot say whether the deposit was sent')
    await expectAccessible(page)
    await page.unroute('**/api/deposits/submit')
    await box.getByRole('button', { name: '1 Kid' }).click()
    await send.click()
    await expect(box).toContainText('50,000 $COTTON arrived')
    await expect(box.getByRole('link', { name: 'Hire your first picker' })).toBeVisible()
  },
)

test('a deposit that is credited while the player changes the page arrives', VARIANT, async ({ page }) => {
  await page.goto('/profile?section=deposit')
  await logIn(page)
  await page.getByRole('region', { name: 'Test tokens' }).getByRole('button').click()
  const box = page.getByRole('region', { name: 'Deposit', exact: true })
  await box.getByRole('button', { name: '1 Kid' }).click()
  const reported = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  await page.route('**/api/users/check-deposit', async (route) => {
    const response = await route.fetch()
    const { newDeposit } = (await response.json()) as { newDeposit?: boolean }
    if (newDeposit) {
      reported.resolve()
      await left.promise
    }
    await route.fulfill({ response })
  })
  await box.getByRole('button', { name: 'Deposit 50,000 $COTTON' }).click()
  await reported.promise
  const menu = page.getByRole('complementary')
  await menu.getByRole('link', { name: 'Open Books' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Open Books' })).toBeVisible()
  left.resolve()
  await menu.getByRole('link', { name: 'Deposit' }).click()
  await expect(box).toContainText('50,000 $COTTON arrived')
})

test(
  'a deposit of anything but $COTTON is listed with the reason and not credited',
  VARIANT,
  async ({ page }) => {
    const { address, call } = await playWithBalance(page, 0)
    const { depositWallet } = (await call('GET', '/api/users/deposit-address')).body as {
      depositWallet: string
    }
    await page.goto('/profile')
    const list = page.getByRole('region', { name: 'Not credited' })
    await expect(page.getByText('Nothing has happened yet.')).toBeVisible()
    await expect(list).toHaveCount(0)
    // The faucet sends a SOL and test tokens to any address.
    await call('POST', '/api/local/faucet', { walletAddress: depositWallet })
    await expect(async () => {
      await page.getByRole('button', { name: 'Check Deposits' }).click()
      await expect(list.getByRole('listitem')).toHaveText(
        /^1 SOL.*SOL cannot be credited\. It stays at the address/,
      )
    }).toPass()
    await expect(page.getByRole('region', { name: 'Transaction History' })).toContainText('+1,000,000')
    const { body } = await call('GET', `/api/users/wallet/${address}`)
    expect(body).toMatchObject({ creditBalance: 1_000_000 })
    await expectBothLayouts(page)
  },
)

test('another token, a pending deposit and a failed list each show a message', VARIANT, async ({ page }) => {
  await playWithBalance(page, 0)
  const at = '2026-01-05T12:00:00.000Z'
  const [token, waiting] = ['4'.repeat(88), '5'.repeat(88)]
  const why = 'Large deposits are checked twice. It is credited when the second check is through.'
  const mint = '9'.repeat(44)
  await page.route('**/api/users/history*', (route) =>
    route.fulfill({
      json: { success: true, items: [], next: null, pending: [{ signature: waiting, amount: 7, at }] },
    }),
  )
  let fails = true
  await page.route('**/api/deposits*', (route) =>
    fails
      ? route.fulfill({ status: 500, json: {} })
      : route.fulfill({
          json: {
            success: true,
            items: [
              {
                signature: waiting,
                asset: 'cotton',
                mint: null,
                amount: '7000000',
                state: 'pending',
                why,
                at,
              },
              {
                signature: token,
                asset: 'other_token',
                mint,
                amount: '1234567',
                state: 'unclaimed',
                why: 'Ask.',
                at,
              },
              {
                signature: token,
                asset: 'cotton',
                mint: null,
                amount: '2500000',
                state: 'unclaimed',
                why: 'Ask.',
                at,
              },
            ],
          },
        }),
  )
  await page.goto('/profile')
  const list = page.getByRole('region', { name: 'Not credited' })
  await expect(list.getByRole('alert')).toContainText('could not be loaded')
  fails = false
  await list.getByRole('button', { name: 'Try again' }).click()
  await expect(list.getByRole('listitem')).toHaveText([
    /^Another token1,234,567 base units of 999999…9999.*Ask\./,
    /^2\.5 \$COTTON.*Ask\./,
  ])
  const history = page.getByRole('region', { name: 'Transaction History' })
  await expect(history).toContainText(`· ${why}`)
  await history.getByLabel('Kind').selectOption('Claimed')
  await expect(history).toContainText('Nothing matches these filters.')
  await history.getByLabel('Kind').selectOption('Everything')
  await expect(history).toContainText(`· ${why}`)
})

test(
  'a check for deposits shows its result for five seconds (S-80, S-106)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await installClock(page)
    await playWithBalance(page, 0)
    const requestHeaders: Record<string, string>[] = []
    page.on('request', (request) => {
      if (request.url().includes('deposit')) requestHeaders.push(request.headers())
    })
    await page.goto('/profile')
    const check = page.getByRole('button', { name: 'Check Deposits' })
    // The clock stops before the press, so the page must be ready by then.
    await expect(check).toBeVisible()
    const when = () => check.click()
    await expectToastToStay(page, { text: 'No new deposits found. Try again later.', ms: 5_000, when })
    const found = { success: true, newDeposit: true, amount: 1_500.5, newBalance: 2_500.75, pending: 0 }
    await page.route('**/api/users/check-deposit', (route) => route.fulfill({ json: found }))
    const text = 'Successfully deposited 1,500 tokens! New balance: 2,500'
    await expectToastToStay(page, { text, ms: 5_000, when })
    await page.route('**/api/users/check-deposit', (route) =>
      route.fulfill({ json: { ...found, amount: 0.75, newBalance: 2_501.5 } }),
    )
    await check.click()
    await expect(toast(page, 'Successfully deposited 0.75 tokens! New balance: 2,501')).toBeVisible()
    expect(requestHeaders.length).toBeGreaterThanOrEqual(3)
    for (const headers of requestHeaders) {
      expect(headers['x-auth-token']).toMatch(/\S{20}/)
      expect(headers.authorization).toBe(`Bearer ${headers['x-auth-token']}`)
    }
  },
)

const LIMITS = {
  success: true,
  withdrawable: 800.5,
  deposited: 700.5,
  earned: 300,
  earnedToday: 100,
  needsDeposit: false,
  budgetResetsAt: '2026-01-06T00:00:00.000Z',
  minimum: 1,
  paused: false,
  pause: null,
}

test(
  'a withdrawal is confirmed in a dialog, and is called submitted once the server accepts it (S-28, S-29, S-60, S-66, A-09, X-04)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await installClock(page)
    await page.route('**/api/users/withdrawable', (route) => route.fulfill({ json: LIMITS }))
    await page.goto('/profile')
    const wallet = page.getByRole('button', { name: 'Play with a test wallet' })
    await expect(wallet).toBeEnabled()
    await expectToastToStay(page, { text: 'Logged in', ms: 5_000, when: () => wallet.click() })

    const open = page.getByRole('button', { name: 'Withdraw', exact: true })
    await open.click()
    const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
    await expect(dialog).toContainText(
      'Once requested, withdrawals can take up to 10 minutes until processed by our systems.',
    )
    await expect(dialog.getByRole('button', { name: 'Confirm' })).toBeEnabled()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await expect(open).toBeFocused()

    await open.click()
    await dialog.getByLabel('Amount to withdraw').fill('10')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect(dialog.getByRole('alert').filter({ hasText: /withdraw/ })).toBeVisible()
    await expect(toast(page, 'Withdrawal submitted successfully')).toBeHidden()

    const challenge = { success: true, message: 'Sign me', expiresAt: '2026-01-05T12:05:00.000Z' }
    await page.route('**/api/users/withdrawals/challenge', (route) => route.fulfill({ json: challenge }))
    await page.route('**/api/users/withdrawals', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ json: { success: true, id: 'w', state: 'requested', newBalance: 0 } })
        : route.fallback(),
    )
    const when = () => dialog.getByRole('button', { name: 'Confirm' }).click()
    await expectToastToStay(page, { text: 'Withdrawal submitted successfully', ms: 5_000, when })
    await expect(dialog).toBeHidden()
  },
)

test('a deposit that is credited while the dialog is open can be withdrawn', VARIANT, async ({ page }) => {
  const player = await playWithBalance(page, 800)
  let limits = LIMITS
  await page.route('**/api/users/withdrawable', (route) => route.fulfill({ json: limits }))
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
  const withdrawable = dialog.getByText('Withdrawable now').locator('..')
  await expect(withdrawable).toContainText('800')
  limits = { ...LIMITS, withdrawable: 5_800.5, deposited: 5_700.5 }
  await stubBalance(page, player, 5_800)
  await expect(withdrawable).toContainText('5,800')
})

test(
  'a withdrawal that waits says why: a pause, or a review by the operator (A-09, A-10, X-04)',
  VARIANT,
  async ({ page }) => {
    await playWithBalance(page, 900)
    const pause = { reason: 'The books are looked at.', since: '2026-01-05T12:00:00.000Z' }
    const limits = { ...LIMITS, paused: true, pause }
    await page.route('**/api/users/withdrawable', (route) => route.fulfill({ json: limits }))
    const waiting = {
      id: '01980000-0000-7000-8000-000000000000',
      amount: 600.5,
      deposited: 600.5,
      earned: 0,
      state: 'review',
      reason: 'The operator reviews larger withdrawals first.',
      reasons: ['large'],
      signature: null,
      requestedAt: '2026-01-05T12:00:00.000Z',
      settledAt: null,
    }
    await page.route('**/api/users/withdrawals', (route) =>
      route.fulfill({ json: { success: true, withdrawals: [waiting] } }),
    )
    await page.goto('/profile')
    const list = page.getByRole('region', { name: 'Withdrawals' })
    await expect(list).toContainText('600.5 $COTTON')
    await expect(list).toContainText('Waiting for review')
    await expect(list).toContainText('The operator reviews larger withdrawals first.')
    const cancelled: unknown[] = []
    await page.route('**/api/users/withdrawals/cancel', (route) => {
      cancelled.push(route.request().postDataJSON())
      return route.fulfill({ json: { success: true, withdrawal: waiting } })
    })
    await list.getByRole('button', { name: 'Cancel withdrawal' }).click()
    const question = page.getByRole('alertdialog', { name: 'Cancel this withdrawal?' })
    await expect(question).toContainText('600.5 $COTTON return to your balance')
    await expect(question.getByRole('button', { name: 'Keep it' })).toBeFocused()
    await question.getByRole('button', { name: 'Cancel withdrawal' }).click()
    await expect(toast(page, 'Cancelled.')).toBeVisible()
    expect(cancelled).toEqual([{ withdrawalId: waiting.id }])
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
    await expect(dialog).toContainText('Withdrawals are paused')
    await expect(dialog).toContainText('Once requested, withdrawals can take up to 10 minutes')
    await expect(dialog.getByRole('button', { name: 'Confirm' })).toBeDisabled()
  },
)

test(
  'a session survives a reload and ends with a logout (S-64, S-65, X-12)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await installClock(page)
    await page.goto('/profile')
    await logIn(page)
    const wallet = await page.evaluate(() => localStorage.getItem('walletAddress'))
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Account Information' })).toBeVisible()
    await pauseClock(page)
    await page.clock.runFor(2_000)
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.clock.resume()
    expect(await page.evaluate(() => localStorage.getItem('walletName'))).toBe('Local test wallet')
    expect(await page.evaluate(() => localStorage.getItem('walletAddress'))).toBe(wallet)
    await page.getByRole('main').getByRole('button', { name: 'Log out', exact: true }).click()
    await expect(toast(page, 'Logged out')).toBeVisible()
    const storedKeys = await page.evaluate(() => Object.keys(localStorage))
    for (const key of ['token', 'walletAddress', 'user']) expect(storedKeys).not.toContain(key)
    const values = await page.evaluate(() => Object.values<string>(localStorage))
    expect(values.filter((value) => value.includes(wallet!))).toEqual([])
  },
)
