import type { Page } from '@playwright/test'
import {
  DESKTOP_ONLY,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  isPhone,
  tokensOnChain,
  test,
  VARIANT,
  variantFrom,
  PHONE_FIRST,
} from './browser-test.ts'
import { installStandIn, STAND_INS } from './stand-in-wallets.ts'

const loginPopup = (page: Page) => page.getByRole('dialog', { name: 'You need to be logged in' })

/** What each wallet is asked to do for a login, a deposit and a withdrawal. */
const USED: Record<string, string[]> = {
  'signs raw bytes': ['signMessage', 'signTransaction', 'signMessage'],
  'wraps messages in version 0': ['signMessage', 'signTransaction', 'signMessage'],
  'wraps messages in version 1': ['signOffchainMessage', 'signTransaction', 'signOffchainMessage'],
  'signs in only': ['signIn', 'signTransaction', 'signIn'],
  // The first message is what the device refuses.
  'signs transactions only': ['signMessage', 'signTransaction', 'signTransaction', 'signTransaction'],
  'sends what it signs': ['signMessage', 'signAndSendTransaction', 'signMessage'],
}

for (const [index, standIn] of STAND_INS.entries()) {
  test(
    `a wallet that ${standIn.signs} logs in, deposits and withdraws (X-11)`,
    variantFrom(1, index),
    async ({ page }) => {
      const { address, used } = await installStandIn(page, standIn)
      await page.request.post('/api/local/faucet', { data: { walletAddress: address } })
      await page.goto('/profile?section=deposit')
      const popup = loginPopup(page)
      const choose = popup.getByRole('button', { name: standIn.name })
      await expect(choose).toBeFocused()
      await page.keyboard.press('Enter')
      if (standIn.signs === 'signs transactions only') {
        await expect(popup.getByRole('alert')).toHaveText('Failed to sign message with wallet')
        await expect(
          popup.getByRole('status').filter({ hasText: /Is this account on a hardware/ }),
        ).toBeVisible()
        await popup.getByRole('checkbox', { name: 'My wallet is a hardware wallet (Ledger)' }).check()
        await expectAccessible(page)
        await choose.click()
      }
      await expect(page.getByText('Logged in', { exact: true })).toBeVisible()
      await expect(popup).toBeHidden()

      const box = page.getByRole('region', { name: 'Deposit', exact: true })
      await box.getByLabel('Amount to deposit').fill('2000')
      await box.getByRole('button', { name: 'Deposit 2,000 $COTTON' }).click()
      await expect(box).toContainText('2,000 $COTTON arrived', { timeout: 30_000 })

      const before = await tokensOnChain(address)
      await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
      await dialog.getByLabel('Amount to withdraw').fill('1500')
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await expect(page.getByText('Withdrawal submitted successfully')).toBeVisible()
      // The signer checks the signature again before it pays.
      const list = page.getByRole('region', { name: 'Withdrawals' })
      await expect(list).toContainText('In your wallet', { timeout: 30_000 })
      expect((await tokensOnChain(address)) - before).toBe(1_500)
      expect(used).toEqual(USED[standIn.signs])
    },
  )
}

test(
  'a wallet that signs and sends is asked to send on mainnet, and only to sign on the local chain (S-27)',
  VARIANT,
  async ({ page }) => {
    const { address, used } = await installStandIn(page, {
      name: 'Wallet for both',
      signs: 'signs raw bytes',
      features: ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction'],
      chains: ['solana:mainnet'],
    })
    await page.request.post('/api/local/faucet', { data: { walletAddress: address } })
    // The wallet sends to the local chain, although the page believes that the game runs on mainnet.
    await page.route('**/api/chain', async (route) => {
      const answer = await route.fetch()
      const mainnet = { cluster: 'mainnet', explorer: 'https://explorer.example/{signature}' }
      await route.fulfill({ json: { ...(await answer.json()), ...mainnet } })
    })
    await page.goto('/profile?section=deposit')
    await loginPopup(page).getByRole('button', { name: 'Wallet for both' }).click()
    const box = page.getByRole('region', { name: 'Deposit', exact: true })
    const deposit = async (typed: string, shown: string) => {
      await box.getByLabel('Amount to deposit').fill(typed)
      await box.getByRole('button', { name: `Deposit ${shown} $COTTON` }).click()
      await expect(box).toContainText(`${shown} $COTTON arrived`, { timeout: 30_000 })
    }
    await deposit('2000', '2,000')
    expect(used).toEqual(['signMessage', 'signAndSendTransaction'])

    await page.unroute('**/api/chain')
    await box.getByRole('button', { name: 'Deposit more' }).click()
    await expect(box.getByRole('heading', { name: 'Deposit', exact: true })).toBeFocused()
    await deposit('3000', '3,000')
    expect(used).toEqual(['signMessage', 'signAndSendTransaction', 'signTransaction'])
  },
)

test(
  'the wallets of a browser are listed, the last used first, also those that come late',
  VARIANT,
  async ({ page }) => {
    for (const name of ['First', 'Second']) await addWallet(page, name, 'data:image/png;base64,AAAA')
    await page.addInitScript(() => localStorage.setItem('walletName', 'Second'))
    await page.goto('/buy-pickers')
    const popup = loginPopup(page)
    const rows = popup.getByRole('listitem').getByRole('button')
    await expect(rows).toHaveText(['SecondLast used', 'First'])
    await expect(rows.first()).toBeFocused()
    // An icon that cannot be shown is replaced by a drawing.
    await expect(popup.getByRole('listitem').locator('img')).toHaveCount(0)
    await expect(popup.getByRole('button', { name: 'Connect wallet' })).toHaveCount(0)

    await page.evaluate(() => Reflect.get(window, 'addStandIn')('Late', 'https://elsewhere.example/icon.png'))
    await expect(rows).toHaveText(['SecondLast used', 'First', 'Late'])
    await page.keyboard.press('Escape')
    // A wallet is there, so the button opens the choice instead of the alert about Phantom.
    await page.getByRole('main').getByRole('button', { name: 'Connect wallet' }).first().click()
    await expect(popup).toBeVisible()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)

    await rows.first().click()
    await expect(popup.getByRole('alert')).toHaveText('Failed to connect wallet.')
    await expect(popup.getByText('You declined in your wallet.')).toBeVisible()
    await expectAccessible(page)
  },
)

/** Registers a wallet that declines to connect. The page can add another one by `addStandIn`. */
async function addWallet(page: Page, name: string, icon: string): Promise<void> {
  await page.addInitScript(
    ([name, icon]) => {
      let late: ((name: string, icon: string) => void) | undefined
      window.addEventListener('wallet-standard:app-ready', (event) => {
        const { detail } = event as CustomEvent<{ register(wallet: unknown): void }>
        late = (name, icon) =>
          detail.register({
            version: '1.0.0',
            name,
            icon,
            chains: ['solana:localnet'],
            accounts: [],
            features: {
              'standard:connect': {
                version: '1.0.0',
                connect: () => Promise.reject(Object.assign(new Error('No.'), { code: 4001 })),
              },
              'solana:signMessage': { version: '1.1.0' },
            },
          })
        late(name!, icon!)
        Reflect.set(window, 'addStandIn', late)
      })
    },
    [name, icon],
  )
}

test(
  'where the browser makes no key, as over plain http, the login popup says what the test wallet needs',
  DESKTOP_ONLY,
  async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(crypto, 'subtle', { value: undefined })
    })
    await page.goto('/buy-pickers')
    const popup = loginPopup(page)
    await expect(popup.getByRole('alert')).toHaveText(/The test wallet needs localhost or https/)
    await expect(popup.getByRole('button', { name: 'Play with a test wallet' })).toBeDisabled()
    await expectAccessible(page)
  },
)

test(
  'a deposit from another wallet is a Solana Pay request with token and amount (S-27)',
  PHONE_FIRST,
  async ({ page }) => {
    const { address } = await installStandIn(page, STAND_INS[0]!)
    await page.goto('/profile?section=deposit')
    await loginPopup(page).getByRole('button', { name: STAND_INS[0]!.name }).click()
    await expect(page.getByText('Logged in', { exact: true })).toBeVisible()
    const box = page.getByRole('region', { name: 'Deposit', exact: true })
    await box.getByText('Show QR code').click()
    await box.getByLabel('Amount in the code').fill('1234.5')
    await expect(box.getByRole('img', { name: 'QR code of a payment to your deposit address' })).toBeVisible()
    const pay = box.getByRole('link', { name: 'Pay with a wallet app' })
    if (isPhone(page)) {
      const chain = (await (await page.request.get('/api/chain')).json()) as { mint: string }
      const token = await page.evaluate(() => localStorage.getItem('token'))
      const answer = await page.request.get('/api/users/deposit-address', {
        headers: { 'x-auth-token': token! },
      })
      const { depositWallet } = (await answer.json()) as { depositWallet: string }
      expect(depositWallet).not.toBe(address)
      const query = `amount=1234.5&spl-token=${chain.mint}&label=Cotton%20Farm&message=Deposit%20%24COTTON`
      await expect(pay).toHaveAttribute('href', `solana:${depositWallet}?${query}`)
    } else {
      await expect(pay).toHaveCount(0)
    }
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  },
)
