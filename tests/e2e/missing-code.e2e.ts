import type { Page } from '@playwright/test'
import { closeGreeting, expect, settle, test, VARIANT } from './browser-test.ts'
import { delayResponses } from './delay-responses.ts'
import { installPhantom } from './fake-phantom.ts'
import { createFundedPlayer, playAs } from './funded-player.ts'
import { playWithResponses, RESPONSES } from './response-fixtures.ts'

// A part of the page is loaded when it is needed. Its file is missing if the connection was lost, or if a newer build has
// replaced it while the page was open.

const HOUR_MS = 3_600_000
const NOT_LOADED = 'Check your connection, then reload the page.'

const popup = (page: Page) => page.getByRole('dialog', { name: 'You need to be logged in' })

/** The file of this module is missing from now on. */
const removeCode = (page: Page, module: string) =>
  page.route(new RegExp(`/assets/${module}-[\\w-]+\\.js$`), (route) => route.abort())

// The browser logs each error that a boundary has caught.
test.afterEach(({ complaints }) => {
  complaints.splice(0)
})

test(
  'without the code of the wallet list the login popup asks to reload the page',
  VARIANT,
  async ({ page }) => {
    await installPhantom(page)
    await removeCode(page, 'wallet-list')
    await page.goto('/buy-pickers')
    await expect(popup(page).getByRole('alert')).toHaveText(NOT_LOADED)
    await expect(page.locator('h1')).toHaveText('Buy Pickers')
    await popup(page).getByRole('button', { name: 'Connect wallet' }).click()
    await expect(page.getByText('Logged in', { exact: true })).toBeVisible()
  },
)

test('without the code of a login the popup asks to reload the page', VARIANT, async ({ page }) => {
  await installPhantom(page)
  await removeCode(page, 'signing')
  await page.goto('/buy-pickers')
  await popup(page).getByRole('button', { name: 'Connect wallet' }).click()
  await expect(popup(page).getByText('Login failed.')).toBeVisible()
  await expect(popup(page)).toContainText(NOT_LOADED)
})

test('a withdrawal whose code never arrives can be cancelled and tried again', VARIANT, async ({ page }) => {
  await playWithResponses(page, (name, whole) => {
    if (name === 'readWithdrawalLock') return { success: true, lock: { hours: 0, next: null } }
    if (name !== 'readWithdrawable') return whole
    return { ...RESPONSES.readWithdrawable, paused: false, pause: null }
  })
  const delayed = await delayResponses(page, '**/assets/signing-*.js')
  await page.goto('/profile')
  const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await dialog.getByLabel('Amount to withdraw').fill('10')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect(dialog.getByRole('button', { name: 'Preparing…' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  delayed.release()
})

test(
  'without the code of its links the alert about Phantom opens all the same',
  VARIANT,
  async ({ page }) => {
    await removeCode(page, 'get-wallet')
    await page.goto('/buy-pickers')
    await popup(page).getByRole('button', { name: 'Connect wallet' }).click()
    const alert = page.getByRole('alertdialog')
    await expect(alert).toContainText('Phantom wallet not detected. Please install Phantom wallet extension.')
    await alert.getByRole('button', { name: 'OK' }).click()
    await expect(popup(page)).toBeVisible()
  },
)

test('without the code of the first steps only they are missing', VARIANT, async ({ page }) => {
  await removeCode(page, 'guide')
  await page.goto('/buy-pickers')
  await closeGreeting(page)
  await expect(page.locator('.first-steps')).toHaveCount(0)
  await expect(page.locator('h1')).toHaveText('Buy Pickers')
  await expect(page.locator('#hire-kid')).toBeVisible()
})

test(
  'without the code of the board, the summary and the settings the farm stays',
  VARIANT,
  async ({ page, context }) => {
    const player = await createFundedPlayer(0)
    await playAs(context, player)
    await context.addInitScript(
      ([wallet, agoMs]) => localStorage.setItem('lastSeen', `${wallet} ${Date.now() - agoMs}`),
      [player.address, 2 * HOUR_MS] as const,
    )
    await removeCode(page, 'goal-list')
    await removeCode(page, 'absence-summary')
    await removeCode(page, 'settings-sheet')
    await page.goto('/myfarm')
    const board = page.getByRole('region', { name: 'Harvest Board' })
    await expect(board.getByRole('alert')).toHaveText(NOT_LOADED)
    await settle(page)
    const openSettings = page.locator('aside').getByRole('button', { name: 'Settings' })
    const settings = page.getByRole('dialog', { name: 'Settings' })
    for (let press = 0; press < 2; press += 1) {
      await openSettings.click()
      await expect(settings).toContainText(NOT_LOADED)
      await page.keyboard.press('Escape')
      await expect(settings).toBeHidden()
      await expect(openSettings).toBeFocused()
    }
    await expect(page.getByRole('heading', { level: 1, name: 'My Farm' })).toBeVisible()
    await expect(page.getByText('Something broke on this page')).toBeHidden()
  },
)
