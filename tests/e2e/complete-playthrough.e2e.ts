import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  goTo,
  logIn,
  test,
  tokensOnChain,
  PHONE_FIRST,
} from './browser-test.ts'

test(
  'a newcomer plays from the first login to tokens in the wallet (S-28, S-106)',
  PHONE_FIRST,
  async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('dialog', { name: 'You need to be logged in' })).toBeVisible()
    await expectAccessible(page)
    await logIn(page)
    await expect(page).toHaveURL(/\/buy-pickers$/)

    await test.step('free tokens, and a deposit from the wallet', async () => {
      await goTo(page, 'Profile')
      const tokens = page.getByRole('region', { name: 'Test tokens' })
      await tokens.getByRole('button', { name: 'Get test tokens' }).click()
      await expect(tokens).toContainText('In your wallet1,000,000')
      await tokens.getByRole('link', { name: 'Deposit' }).click()
      const box = page.getByRole('region', { name: 'Deposit', exact: true })
      await expect(box.getByText('Only send $COTTON tokens')).toBeVisible()
      await expect(box.getByLabel('Amount to deposit')).toHaveValue('1000000')
      await box.getByLabel('Amount to deposit').fill('60000.5')
      await expectAccessible(page)
      await box.getByRole('button', { name: 'Deposit 60,000 $COTTON' }).click()
      await expect(box.getByText('Successfully deposited 60,000 tokens! New balance: 60,000')).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await box.getByRole('link', { name: 'Hire your first picker' }).click()
    })

    await test.step('a kid is hired', async () => {
      const kid = page.getByRole('region', { name: 'Kid' })
      await kid.getByRole('button', { name: 'BUY' }).click()
      await expect(page.getByText(/Successfully purchased kid-\d{4}!/)).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    })

    await test.step('its tokens tick, and are claimed', async () => {
      await goTo(page, 'My Farm')
      const field = page.getByRole('article', { name: 'Kid' })
      const claim = field.getByRole('button', { name: 'CLAIM', exact: true })
      await expect(claim).toBeEnabled()
      const shownNow = async () =>
        Number((await field.locator('b').first().textContent())!.replaceAll(',', ''))
      const before = await shownNow()
      await expect.poll(shownNow).toBeGreaterThan(before)
      await claim.click()
      await expect(
        page.getByText(/Successfully claimed tokens from all Kid workers!|Claimed \d+ \$COTTON tokens!/),
      ).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    })

    const wallet = await page.evaluate(() => localStorage.getItem('walletAddress'))
    await test.step('a withdrawal arrives in the wallet on the chain', async () => {
      const before = await tokensOnChain(wallet!)
      await goTo(page, 'Profile')
      await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
      await expect(
        dialog.getByText(
          'Once requested, withdrawals can take up to 10 minutes until processed by our systems.',
        ),
      ).toBeVisible()
      await dialog.getByLabel('Amount to withdraw').fill('7000.25')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await expect(page.getByText('Withdrawal submitted successfully')).toBeVisible()
      await expect(page.getByRole('region', { name: 'Withdrawals' })).toContainText('In your wallet', {
        timeout: 30_000,
      })
      expect((await tokensOnChain(wallet!)) - before).toBeCloseTo(7_000.25, 6)
    })

    await test.step('the session is restored by a reload, and ends with a log-out', async () => {
      await page.reload()
      await expect(page.getByRole('main').getByRole('button', { name: 'Log out' })).toBeVisible()
      await expect(page.getByRole('dialog')).toBeHidden()
      await page.getByRole('main').getByRole('button', { name: 'Log out' }).click()
      await expect(page.getByText('Logged out', { exact: true })).toBeVisible()
      expect(
        await page.evaluate(() => ['token', 'walletAddress', 'user'].map((key) => localStorage.getItem(key))),
      ).toEqual([null, null, null])
    })

    await test.step('logging in again shows the same farm', async () => {
      await page.goto('/myfarm')
      await logIn(page)
      await expect(page.getByRole('article', { name: 'Kid' }).getByText('× 1')).toBeVisible()
      expect(await page.evaluate(() => localStorage.getItem('walletAddress'))).toBe(wallet)
    })
  },
)
