import { createFundedPlayer, playAs } from './funded-player.ts'
import { balanceOn } from './open-market.ts'
import {
  closeGreeting,
  expect,
  expectAccessible,
  expectBothLayouts,
  DESKTOP_ONLY,
  goTo,
  settle,
  test,
  VARIANT,
} from './browser-test.ts'

test(
  'before its launch the market is not in the menu, and its page says when it opens (S-09, S-23, A-22)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await page.goto('/buy-pickers')
    await closeGreeting(page)
    const menu = page.getByRole('navigation', { name: 'Game' })
    await expect(menu.getByRole('link', { name: 'Profile' })).toBeVisible()
    const entry = menu.locator('a[href="/marketplace"]')
    await expect(entry).toBeAttached()
    await expect(entry).toBeHidden()
    await page.goto('/marketplace')
    await expect(page.getByRole('dialog', { name: 'You need to be logged in' })).toBeVisible()
    await settle(page)
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await closeGreeting(page)
    const popup = page.getByRole('dialog', { name: 'Marketplace is not launched yet' })
    await expect(
      popup.getByText(
        'Wait until all parcels are sold. The parcel marketplace will be automatically activated shortly after.',
      ),
    ).toBeVisible()
    await expectAccessible(page)
    await popup.getByRole('button', { name: 'Got it' }).click()
    await expect(page.getByRole('heading', { name: 'The marketplace is not open.' })).toBeVisible()
    await expectBothLayouts(page)
  },
)

test(
  'whoever has logged out while the game is open reads when the market opens (S-23)',
  VARIANT,
  async ({ page, context }) => {
    await playAs(context, await createFundedPlayer(0))
    const note = page.getByRole('dialog', { name: 'Marketplace is not launched yet' })
    await page.goto('/marketplace')
    await note.getByRole('button', { name: 'Got it' }).click()
    await goTo(page, 'My Farm')
    const otherWindow = await context.newPage()
    await otherWindow.goto('/profile')
    await otherWindow.getByRole('button', { name: 'Log out', exact: true }).click()
    await expect(
      page.getByRole('main').locator('header').getByRole('button', { name: 'Connect wallet' }),
    ).toBeVisible()
    await page.goBack()
    await expect(note).toBeVisible()
  },
)

test(
  'the picker popup shows price, harvest and supply, and hires (S-21, S-22)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await playAs(page.context(), await createFundedPlayer(60_000))
    await page.goto('/buy-pickers')
    await expect(balanceOn(page)).toContainText('60,000')
    await page.getByRole('button', { name: 'View Kid' }).click()
    const kid = page.getByRole('dialog', { name: 'Kid' })
    await expect(kid).toContainText('Price50,000 $COTTON')
    await expect(kid).toContainText('Generation5,000 tokens/hour')
    await expect(kid.getByText('Purchases are final. No return is promised.')).toBeVisible()
    await expect(kid).toContainText(/Supply\d+ \/ 10,000/)
    await expectBothLayouts(page)
    await kid.getByRole('button', { name: 'Purchase for 50,000 $COTTON' }).click()
    await expect(page.getByText(/Successfully purchased kid-\d{4}!/)).toBeVisible()
    await expect(kid.getByRole('button', { name: 'Not Enough $COTTON' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'View Kid' })).toBeFocused()
  },
)
