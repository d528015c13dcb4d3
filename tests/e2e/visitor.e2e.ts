import {
  closeGreeting,
  expect,
  expectAccessible,
  expectHydrated,
  isPhone,
  logIn,
  settle,
  DESKTOP_ONLY,
  test,
  VARIANT,
  DESKTOP_FIRST,
  PHONE_FIRST,
} from './browser-test.ts'

test(
  'without Phantom an alert says so, and the login popup follows (S-16)',
  DESKTOP_FIRST,
  async ({ page }) => {
    await page.goto('/buy-pickers')
    const popup = page.getByRole('dialog', { name: 'You need to be logged in' })
    await expect(popup.getByText('Connect your wallet to continue')).toBeVisible()
    await popup.getByRole('button', { name: 'Connect wallet' }).click()
    const alert = page.getByRole('alertdialog')
    await expect(alert).toContainText('Phantom wallet not detected. Please install Phantom wallet extension.')
    await expectAccessible(page)
    await alert.getByRole('button', { name: 'OK' }).click()
    await expect(popup).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(popup).toBeHidden()
  },
)

test(
  'the login popup opens once, half a second after the start (S-19, S-20, A-23)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await page.clock.install({ time: new Date('2026-01-05T12:00:00Z') })
    await page.clock.pauseAt(new Date('2026-01-05T12:00:01Z'))
    await page.goto('/buy-pickers')
    const popup = page.getByRole('dialog', { name: 'You need to be logged in' })
    await expect(page.getByRole('heading', { level: 1, name: 'Buy Pickers' })).toBeVisible()
    await expectHydrated(page)
    await page.clock.runFor(450)
    await expect(popup).toBeHidden()
    await page.clock.runFor(100)
    await expect(popup).toBeVisible()
    await popup.getByRole('button', { name: 'Close' }).first().click()
    await page.clock.runFor(5_000)
    await expect(popup).toBeHidden()
  },
)

test(
  'old URLs redirect to the workers, and unknown URLs show an error page (S-06)',
  DESKTOP_ONLY,
  async ({ page }) => {
    for (const path of ['/owned', '/owned-land']) {
      await page.goto(path)
      await closeGreeting(page)
      await expect(page).toHaveURL(/\/owned-workers$/)
      await expect(page.getByRole('heading', { level: 1, name: 'Cotton Workers' })).toBeVisible()
    }
    await page.goto('/no-such-page')
    await expect(page.getByRole('heading', { name: 'This path leads nowhere' })).toBeVisible()
  },
)

test('hiring without enough credit shows what is missing and costs nothing', VARIANT, async ({ page }) => {
  await page.goto('/buy-pickers')
  await logIn(page)
  await page.getByRole('region', { name: 'Grandma' }).getByRole('button', { name: 'BUY' }).click()
  await expect(page.getByRole('alertdialog')).toContainText(
    'Not enough $COTTON tokens. Required: 100,000, Available: 0',
  )
})

test(
  'samples are labelled and cannot be bought while the types fail to load (S-102, S-108, A-11, N-08)',
  DESKTOP_ONLY,
  async ({ page }) => {
    let broken = true
    await page.route('**/api/workers/types', (route) => (broken ? route.abort() : route.continue()))
    await page.goto('/buy-pickers')
    await closeGreeting(page)
    await expect(page.getByRole('alert').getByText('Sample data – not live')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('alert').getByText('Failed to load worker data')).toBeVisible()
    const buttons = page.getByRole('button', { name: 'BUY' })
    await expect(buttons).toHaveCount(4)
    for (const button of await buttons.all()) await expect(button).toBeDisabled()
    broken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Sample data – not live').first()).toBeHidden()
    await expect(buttons.first()).toBeEnabled()
  },
)

test('the deposit link opens the deposit box (S-02, S-27)', VARIANT, async ({ page }) => {
  await page.goto('/profile')
  await logIn(page)
  await page.goto('/profile?section=deposit')
  await expect(page.getByText('Send tokens to this address:')).toBeVisible()
  await expect(page.getByText('Only send $COTTON tokens')).toBeVisible()
})

test(
  'the menu opens and closes on a phone by button, Escape and link, and is always visible on a desktop',
  PHONE_FIRST,
  async ({ page }) => {
    await page.goto('/buy-pickers')
    await closeGreeting(page)
    const menu = page.getByRole('navigation', { name: 'Game' })
    if (!isPhone(page)) {
      await expect(menu).toBeVisible()
      return
    }
    await expect(menu).toBeHidden()
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(menu).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await page.getByRole('button', { name: 'Open menu' }).click()
    await menu.getByRole('link', { name: 'My Farm' }).click()
    await expect(menu).toBeHidden()
    await expect(page).toHaveURL(/\/myfarm$/)
  },
)

test('a session that is ended elsewhere ends here with a message', VARIANT, async ({ page, request }) => {
  await page.goto('/myfarm')
  await logIn(page)
  // Any call from this page now would reveal the ended session too early.
  await settle(page)
  const token = await page.evaluate(() => localStorage.getItem('token'))
  await request.post('/api/users/logout', { headers: { 'x-auth-token': token! } })
  await page.reload()
  await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible()
})
