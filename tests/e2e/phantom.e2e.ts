import type { Page } from '@playwright/test'
import { installPhantom, type Misbehaviour } from './fake-phantom.ts'
import { closeGreeting, expect, DESKTOP_ONLY, test, variantFrom } from './browser-test.ts'

const connectWallet = async (page: Page): Promise<void> => {
  const popup = page.getByRole('dialog', { name: 'You need to be logged in' })
  await popup.getByRole('button', { name: 'Connect wallet' }).click()
}

const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key)

test(
  'Phantom logs in with one signed message and gets no other request (S-17, S-64, S-65)',
  DESKTOP_ONLY,
  async ({ page }) => {
    const { addresses, received } = await installPhantom(page)
    await page.goto('/buy-pickers')
    await connectWallet(page)
    await expect(page.getByText('Logged in', { exact: true })).toBeVisible()
    expect(await stored(page, 'walletAddress')).toBe(addresses[0])
    expect(await stored(page, 'walletName')).toBe('Phantom')
    expect(received).toEqual(['connect', 'sign message'])

    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Buy Pickers' })).toBeVisible()
    await expect.poll(() => received).toEqual(['connect', 'sign message', 'connect silently'])
    await page.goto('/profile')
    await page.getByRole('main').getByRole('button', { name: 'Log out' }).click()
    await expect.poll(() => received.at(-1)).toBe('disconnect')
    expect(await stored(page, 'token')).toBeNull()
  },
)

test('a change of account in the wallet ends the session (X-11)', DESKTOP_ONLY, async ({ page }) => {
  const { switchAccount } = await installPhantom(page)
  await page.goto('/buy-pickers')
  await connectWallet(page)
  await expect(page.getByText('Logged in', { exact: true })).toBeVisible()
  await switchAccount()
  await expect(
    page.getByText('You switched the account in your wallet, so you were logged out.'),
  ).toBeVisible()
  expect(await stored(page, 'token')).toBeNull()
})

const FAILURES: [does: Misbehaviour, sentence: string][] = [
  ['refuses to connect', 'Failed to connect wallet.'],
  ['refuses to sign', 'Failed to sign message with wallet'],
  ['cannot sign', 'Wallet not connected or does not support signing'],
  ['signs something else', 'Signature verification failed'],
]

for (const [index, [does, sentence]] of FAILURES.entries()) {
  test(
    `when the wallet ${does}, the popup returns with: ${sentence} (S-17, S-72, S-101)`,
    variantFrom(1, index),
    async ({ page }) => {
      await installPhantom(page, { misbehaviour: does })
      await page.goto('/buy-pickers')
      await closeGreeting(page)
      await page.getByRole('region', { name: 'Kid' }).getByRole('button', { name: 'BUY' }).click()
      await connectWallet(page)
      const popup = page.getByRole('dialog', { name: 'You need to be logged in' })
      await expect(popup.getByRole('alert')).toHaveText(sentence)
      expect(await stored(page, 'token')).toBeNull()
    },
  )
}
