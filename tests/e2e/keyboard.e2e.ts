import type { ElementHandle, Locator, Page } from '@playwright/test'
import { readListingId, openMarket, createPlayer, test } from './open-market.ts'
import { closeGreeting, expect, VARIANT } from './browser-test.ts'

openMarket()

// The test presses hundreds of keys. In the trace of a second attempt a snapshot around each would take most of the time.
test.use({ trace: { mode: 'on-first-retry', snapshots: false } })

type Stop = { reached: boolean; wrong: string | null }

/** Whether the focus is on the target, and what is wrong with the focused element: no focus ring, or out of view. */
const stopAt = (page: Page, target: ElementHandle): Promise<Stop> =>
  page.evaluate((wanted) => {
    const at = document.activeElement
    // The page itself and headings that are focused after navigation need no ring.
    if (!at || at === document.body || at.getAttribute('tabindex') === '-1')
      return { reached: false, wrong: null }
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at)
    const outline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
    const blue = 'rgb(27, 79, 214)'
    const hasOutline = [at, ...at.querySelectorAll('circle')].some(
      (each) => getComputedStyle(each).stroke === blue,
    )
    const ring = outline || hasOutline || boxShadow.includes(blue)
    const box = at.getBoundingClientRect()
    const seen = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
    const wrong = ring && seen ? null : `${at.outerHTML.slice(0, 120)} ring: ${ring}, in view: ${seen}`
    return { reached: at === wanted, wrong }
  }, target)

/** Presses Tab, or Shift+Tab, until the target has the focus. Every focused element on the way must be visible. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  const wanted = (await target.elementHandle())!
  for (let stops = 0; stops < 90; stops += 1) {
    const { reached, wrong } = await stopAt(page, wanted)
    if (wrong) await expect.poll(async () => (await stopAt(page, wanted)).wrong).toBeNull()
    if (reached) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never reaches ${target}`)
}

const toast = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

test('the whole game can be played with the keyboard alone (X-16)', VARIANT, async ({ page }) => {
  test.setTimeout(240_000)
  const press = (key: string) => page.keyboard.press(key)
  const type = (text: string) => page.keyboard.type(text)
  const follow = async (name: string) => {
    await tabTo(page, page.getByRole('navigation', { name: 'Game' }).getByRole('link', { name }), 'Shift+Tab')
    await press('Enter')
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
  }

  await test.step('log in, and start', async () => {
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Play with a test wallet' })).toBeEnabled()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Connect wallet' })).toBeFocused()
    await tabTo(page, page.getByRole('button', { name: 'Play with a test wallet' }), 'Shift+Tab')
    await press('Enter')
    await expect(toast(page, 'Logged in')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Buy Pickers' })).toBeVisible()
  })

  await test.step('test tokens, and a deposit', async () => {
    await follow('Profile')
    const tokens = page.getByRole('region', { name: 'Test tokens' })
    await tabTo(page, tokens.getByRole('button', { name: 'Get test tokens' }))
    await press('Space')
    await tabTo(page, tokens.getByRole('link', { name: 'Deposit' }), 'Shift+Tab')
    await press('Enter')
    await expect(page.getByRole('heading', { name: 'Deposit', exact: true })).toBeFocused()
    await tabTo(page, page.getByLabel('Amount to deposit'))
    await expect(page.getByLabel('Amount to deposit')).toHaveValue('1000000')
    await press('Control+A')
    await type('300000')
    await press('Enter')
    const credited = page.getByText('Successfully deposited 300,000 tokens! New balance: 300,000')
    await expect(credited).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('300,000 $COTTON arrived')).toBeFocused()
  })

  await test.step('hire a picker, and claim what it picked', async () => {
    await follow('Buy Pickers')
    const kid = page.getByRole('region', { name: 'Kid', exact: true })
    await tabTo(page, kid.getByRole('button', { name: 'View Kid' }))
    await press('Enter')
    await expect(
      page.getByRole('dialog', { name: 'Kid' }).getByRole('button', { name: /^Purchase for/ }),
    ).toBeFocused()
    await press('Escape')
    await expect(kid.getByRole('button', { name: 'View Kid' })).toBeFocused()
    await tabTo(page, kid.getByRole('button', { name: 'BUY' }))
    await press('Enter')
    await expect(toast(page, /Successfully purchased kid-\d{4}!/)).toBeVisible()
    await follow('My Farm')
    await expect(page.getByRole('region', { name: 'Fields' })).toBeVisible()
    const claim = page.getByRole('article', { name: 'Kid' }).getByRole('button')
    await expect(claim).toHaveText('CLAIM')
    await tabTo(page, claim)
    await press('Space')
    await expect(toast(page, /Claimed \d+ \$COTTON tokens!/)).toBeVisible()
    await expect(claim).toBeFocused()
  })

  let land = ''
  const details = page.getByRole('dialog', { name: 'Land Details' })
  await test.step('buy land on the map', async () => {
    await follow('Buy Pickers')
    await tabTo(page, page.getByRole('link', { name: 'Open the world map' }))
    await press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'World Map' })).toBeVisible()
    await tabTo(page, page.getByRole('list', { name: 'Continents' }).getByRole('link', { name: /^Oceania/ }))
    await press('Enter')
    const map = page.getByRole('region', { name: 'Map of Oceania' })
    await expect(map).toHaveAccessibleDescription(/Use the arrow keys to move between countries/)
    await tabTo(page, map.locator('[data-land][tabindex="0"]'))
    await press('ArrowLeft')
    const chosen = page.locator('[data-land]:focus')
    await expect(chosen).toHaveAccessibleName(/, tier [123], available, 100,000 tokens$/)
    land = (await chosen.getAttribute('data-land'))!
    await press('Enter')
    await expect(details.getByRole('button', { name: 'Buy This Parcel' })).toBeFocused()
    await press('Enter')
    const sentence = `Parcel ${land} purchased successfully for 100,000 tokens.`
    await expect(details.getByText(sentence)).toBeVisible()
    await expect(details.getByRole('button', { name: 'Close' }).last()).toBeFocused()
  })

  await test.step('list it, and take the money of another player', async () => {
    await tabTo(page, details.getByRole('button', { name: /^Sell this land/ }), 'Shift+Tab')
    await press('Enter')
    await expect(page.getByLabel('Price in $COTTON')).toBeFocused()
    await type('40000')
    await tabTo(page, page.getByLabel('Type the price again to confirm'))
    await type('40000')
    await tabTo(page, page.getByRole('button', { name: 'List for sale' }))
    await press('Enter')
    await expect(toast(page, /is on the market for 40,000 \$COTTON/)).toBeVisible()
    await expect(details.getByRole('link', { name: /^Listed for 40,000 \$COTTON/ })).toBeFocused()
    await press('Escape')
    await expect(page.locator(`[data-land="${land}"]`)).toBeFocused()
    await follow('Marketplace')
    await tabTo(page, page.getByRole('tab', { name: 'All Listings' }))
    await press('ArrowRight')
    await expect(page.getByRole('tab', { name: /^My Listings/ })).toBeFocused()
    await expect(page.getByRole('button', { name: /^Cancel Listing/ })).toBeVisible()

    const [wallet, buyer] = [
      await page.evaluate(() => localStorage.getItem('walletAddress')),
      await createPlayer(40_000),
    ]
    const listingId = await readListingId({ ...buyer, address: wallet! })
    const body = { listingId, walletAddress: buyer.address }
    expect((await buyer.call('POST', '/api/marketplace/purchase', body)).status).toBe(200)
    await expect(toast(page, /has a new owner. You received 36,000 \$COTTON/)).toBeVisible()
    await expect(page.getByRole('article').filter({ hasText: 'Sold' })).toBeVisible()
  })

  await test.step('withdraw to the wallet', async () => {
    await follow('Profile')
    const withdraw = page.getByRole('button', { name: 'Withdraw', exact: true })
    await tabTo(page, withdraw)
    await press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Confirm withdrawal of your tokens.' })
    await expect(dialog.getByLabel('Amount to withdraw')).toBeFocused()
    await type('7000.25')
    await tabTo(page, dialog.getByRole('button', { name: 'Confirm' }))
    await press('Enter')
    await expect(toast(page, 'Withdrawal submitted successfully')).toBeVisible()
    await expect(withdraw).toBeFocused()
    await expect(page.getByRole('region', { name: 'Withdrawals' })).toContainText('7,000.25 $COTTON')
    await tabTo(page, page.getByRole('main').getByRole('button', { name: 'Log out' }), 'Shift+Tab')
    await press('Enter')
    await expect(toast(page, 'Logged out')).toBeVisible()
  })
})

test('the skip link skips the menu', VARIANT, async ({ page }) => {
  await page.goto('/marketplace?tab=mine')
  await closeGreeting(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').locator(':focus')).toBeVisible()
})
