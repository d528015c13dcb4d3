import type { Locator, Page } from '@playwright/test'
import { DESKTOP_ONLY, expect, expectAccessible, logIn, settle, test, VARIANT } from './browser-test.ts'
import { delayResponses } from './delay-responses.ts'
import { installPhantom } from './fake-phantom.ts'

/** From now on the test wallet signs only when `answer` is called. */
async function silenceWallet(page: Page): Promise<{ answer: () => Promise<void> }> {
  await page.evaluate(() => {
    const waiting: (() => void)[] = []
    const sign = crypto.subtle.sign.bind(crypto.subtle)
    crypto.subtle.sign = async (...args: Parameters<typeof sign>) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return sign(...args)
    }
    Reflect.set(window, 'answerWallet', () => waiting.splice(0).forEach((resolve) => resolve()))
  })
  return { answer: () => page.evaluate(() => Reflect.get(window, 'answerWallet')()) }
}

test(
  'a withdrawal can be cancelled while the wallet is asked; a signature that arrives later withdraws nothing',
  DESKTOP_ONLY,
  async ({ page }) => {
    const limits = {
      success: true,
      withdrawable: 800,
      deposited: 800,
      earned: 0,
      earnedToday: 0,
      needsDeposit: false,
      budgetResetsAt: '2026-01-06T00:00:00.000Z',
      minimum: 1,
      paused: false,
      pause: null,
    }
    await page.route('**/api/users/withdrawable', (route) => route.fulfill({ json: limits }))
    const challenge = { success: true, message: 'Sign me', expiresAt: '2026-01-05T12:05:00.000Z' }
    await page.route('**/api/users/withdrawals/challenge', (route) => route.fulfill({ json: challenge }))
    const withdrawn: unknown[] = []
    await page.route('**/api/users/withdrawals', (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      withdrawn.push((route.request().postDataJSON() as { amount: number }).amount)
      return route.fulfill({ json: { success: true, id: 'w', state: 'requested', newBalance: 0 } })
    })
    await page.goto('/profile')
    await logIn(page)
    const wallet = await silenceWallet(page)
    const open = page.getByRole('button', { name: 'Withdraw', exact: true })
    const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
    const confirm = async (amount: string): Promise<void> => {
      await open.click()
      await dialog.getByLabel('Amount to withdraw').fill(amount)
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await expect(dialog.getByRole('button', { name: 'Sign it in your wallet' })).toBeVisible()
    }

    await confirm('10')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await confirm('20')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await wallet.answer()

    await confirm('30')
    const delayed = await delayResponses(page, '**/api/users/withdrawals')
    await wallet.answer()
    await expect.poll(() => delayed.callCount).toBeGreaterThan(0)
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
    delayed.release()
    await expect(page.getByText('Withdrawal submitted successfully')).toBeVisible()
    await expect(dialog).toBeHidden()
    expect(withdrawn).toEqual([30])
  },
)

test(
  'a deposit can be cancelled while the wallet is asked; a signature that arrives later sends nothing',
  VARIANT,
  async ({ page }) => {
    let sent = 0
    await page.route('**/api/deposits/submit', (route) => {
      sent += 1
      return route.fallback()
    })
    await page.goto('/profile?section=deposit')
    await logIn(page)
    await page.getByRole('region', { name: 'Test tokens' }).getByRole('button').click()
    const box = page.getByRole('region', { name: 'Deposit', exact: true })
    await box.getByRole('button', { name: '1 Kid' }).click()
    const wallet = await silenceWallet(page)
    await box.getByRole('button', { name: 'Deposit 50,000 $COTTON' }).click()
    await expect(box.getByRole('button', { name: 'Sign it in your wallet' })).toBeVisible()
    await expectAccessible(page)
    await box.getByRole('button', { name: 'Cancel' }).click()
    await expect(box.getByRole('status').filter({ hasText: /^You cancelled/ })).toHaveText(
      'You cancelled the deposit. Nothing was sent.',
    )
    await expect(box.getByRole('alert').filter({ hasText: /\w/ })).toHaveCount(0)
    await expect(box.getByRole('button', { name: 'Deposit 50,000 $COTTON' })).toBeFocused()
    await wallet.answer()

    await box.getByRole('button', { name: 'Deposit 50,000 $COTTON' }).click()
    await expect(box.getByRole('button', { name: 'Sign it in your wallet' })).toBeVisible()
    await wallet.answer()
    await expect(box).toContainText('50,000 $COTTON arrived')
    expect(sent).toBe(1)
  },
)

test(
  'a login can be cancelled while the wallet is asked; an answer that arrives later logs nobody in',
  VARIANT,
  async ({ page }) => {
    const connections: (() => void)[] = []
    const signatures: (() => void)[] = []
    await installPhantom(page, {
      confirmConnect: () => new Promise((resolve) => connections.push(resolve)),
      confirm: () => new Promise((resolve) => signatures.push(resolve)),
    })
    let verified = 0
    page.on('request', (request) => (verified += request.url().endsWith('/api/users/verify-wallet') ? 1 : 0))
    const popup = page.getByRole('dialog', { name: 'You need to be logged in' })
    const waiting = popup.getByRole('button', { name: 'Confirm in Phantom…' })
    const inMenu = (name: string): Locator => page.locator('aside').getByRole('button', { name, exact: true })
    await page.goto('/buy-pickers')

    await popup.getByRole('button', { name: 'Connect wallet' }).click()
    await expect(popup).toBeHidden()
    await expect.poll(() => connections.length).toBe(1)
    await inMenu('Connecting…').click()
    await expect(waiting).toHaveAttribute('aria-busy', 'true')
    for (const other of ['Connect wallet', 'Play with a test wallet'])
      await expect(popup.getByRole('button', { name: other })).toHaveAttribute('aria-disabled', 'true')
    await expectAccessible(page)
    await popup.getByRole('button', { name: 'Cancel' }).click()
    await expect(popup).toBeHidden()
    await expect(inMenu('Connect wallet')).not.toHaveAttribute('aria-busy')
    connections[0]!()
    await settle(page)
    expect(await page.evaluate(() => localStorage.getItem('walletName'))).toBeNull()

    await inMenu('Deposit').click()
    await popup.getByRole('button', { name: 'Phantom' }).click()
    await expect.poll(() => connections.length).toBe(2)
    connections[1]!()
    await expect.poll(() => signatures.length).toBe(1)
    await expect(waiting).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(popup).toBeHidden()

    await inMenu('Connect wallet').click()
    await expect.poll(() => connections.length).toBe(3)
    signatures[0]!()
    await settle(page)
    await expect(inMenu('Connecting…')).toBeVisible()
    expect(verified).toBe(0)
    connections[2]!()
    await expect.poll(() => signatures.length).toBe(2)
    signatures[1]!()
    await expect(page.getByText('Logged in', { exact: true })).toBeVisible()
    expect(verified).toBe(1)
  },
)
