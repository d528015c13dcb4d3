import type { WebSocketRoute } from '@playwright/test'
import { playAs } from './funded-player.ts'
import { balanceOn, cardOf, createPlayer, createSeller, listParcel } from './open-market.ts'
import { namesOn, openMarket, openPage, readListingId, test } from './open-market.ts'
import {
  closeGreeting,
  expect,
  expectBothLayouts,
  expectAccessible,
  expectFitsNarrow,
  expectNoSidewaysScroll,
  DESKTOP_ONLY,
  VARIANT,
  PHONE_FIRST,
} from './browser-test.ts'

// Each test uses its own land.
openMarket()

test(
  'land is listed by its owner and bought live by another player, and the seller is paid (S-40, S-41, S-42, S-68, S-107, A-03, A-33)',
  PHONE_FIRST,
  async ({ page, browser }) => {
    const [seller, buyer] = await Promise.all([createPlayer(150_000), createPlayer(60_000)])
    await seller.buy('EU-FR')
    const shop = await openPage(browser, buyer)
    await shop.goto('/marketplace')
    await expect(shop.getByRole('heading', { name: 'No land for sale right now.' })).toBeVisible()

    await playAs(page.context(), seller)
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Sell France' }).click()
    const dialog = page.getByRole('dialog', { name: 'France' })
    await dialog.getByLabel('Price in $COTTON').fill('40,005')
    await expect(dialog.getByText('You paid').locator('..')).toHaveText('You paid100,000')
    await expect(dialog.getByText('Price in Europe now').locator('..')).toHaveText(
      'Price in Europe now102,000',
    )
    await expect(dialog.getByText('Fee (10%)').locator('..')).toHaveText('Fee (10%)4,000')
    await expect(dialog.getByText('You receive').locator('..')).toHaveText('You receive36,004')
    await dialog.getByLabel('Type the price again to confirm').fill('40,050')
    await dialog.getByRole('button', { name: 'List for sale' }).click()
    await expect(dialog.getByText('The two prices do not match.')).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await dialog.getByLabel('Type the price again to confirm').fill('40005')
    await dialog.getByRole('button', { name: 'List for sale' }).click()
    await expect(page.getByText('France is on the market for 40,005 $COTTON.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Listed for 40,005 France' })).toBeFocused()

    const card = cardOf(shop, 'France')
    await expect(card).toContainText('Europe')
    await expect(card).toContainText('40,005 tokens')
    await expect(card).toContainText('Listed this minute')
    await expect(card).toContainText(`Seller${seller.address.slice(0, 6)}…${seller.address.slice(-4)}`)
    await expect(card).toContainText('Last paid100,000Price in Europe now102,000')
    await expectAccessible(shop)
    await expectNoSidewaysScroll(shop)
    await page.getByRole('link', { name: 'Listed for 40,005 France' }).click()
    await page.getByRole('tab', { name: 'My Listings 1' }).click()
    await expect(cardOf(page, 'France')).toContainText('Active')
    await expect(cardOf(page, 'France')).toContainText(/You receive \(90%\)36,004(?!\.)/)

    await card.getByRole('button', { name: 'Purchase France' }).click()
    const confirm = shop.getByRole('dialog', { name: 'Confirm purchase: France' })
    await expect(confirm).toContainText('Listed price40,005')
    await expect(confirm).toContainText('Purchases are final. Land earns no $COTTON')
    await expect(confirm.getByRole('link', { name: 'Terms and risks' })).toHaveAttribute('href', '/terms')
    await expect(confirm).toContainText('Your balance60,000')
    await expect(confirm).toContainText('Balance after19,995')
    await expectAccessible(shop)
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    const yours = shop.getByRole('dialog', { name: 'France is yours!' })
    await expect(yours.getByText('Purchase successful! The land is now yours.')).toBeVisible()
    await expect(yours.getByRole('link', { name: 'See France' })).toBeFocused()
    await expectAccessible(shop)
    await expect(confirm).toBeHidden()
    await expect(card).toBeHidden()
    await expect(balanceOn(shop)).toContainText('19,995')

    await expect(page.getByText('France has a new owner. You received 36,004 $COTTON.')).toBeVisible()
    await expect(cardOf(page, 'France')).toContainText('Sold')
    await expect(cardOf(page, 'France')).toContainText('You received36,004You paid100,000')
    await expect(page.getByRole('tab', { name: 'My Listings', exact: true })).toBeVisible()
    await expect(cardOf(page, 'France')).toContainText(
      `${buyer.address.slice(0, 6)}…${buyer.address.slice(-4)}`,
    )
    await expect(cardOf(page, 'France').getByRole('button')).toHaveCount(0)
    await expect(page.getByText("You don't have any active listings.")).toBeVisible()
    await expect(balanceOn(page)).toContainText('86,004')
    await expectAccessible(page)

    await yours.getByRole('link', { name: 'See France' }).click()
    await expect(shop.getByRole('dialog', { name: 'Land Details' })).toContainText('CountryFranceStatusYours')
    await shop.goto('/profile')
    await expect(shop.getByRole('link', { name: 'France Yours' })).toBeVisible()
    await shop.context().close()
  },
)

test('land details show the listed price and all earlier sales (X-21)', DESKTOP_ONLY, async ({ page }) => {
  const [seller, buyer] = await Promise.all([createSeller('OC-NZ', 30_000), createPlayer(30_000)])
  const listingId = await readListingId(seller)
  await buyer.call('POST', '/api/marketplace/purchase', { listingId, walletAddress: buyer.address })
  await listParcel(buyer, 'OC-NZ', 77_000)

  await playAs(page.context(), seller)
  await page.goto('/parcels/OC')
  const open = () =>
    page
      .getByRole('region', { name: /^(Countries|Sectors)/ })
      .getByRole('button', { name: /^New Zealand\b/ })
      .click()
  await open()
  const details = page.getByRole('dialog', { name: 'Land Details' })
  const rows = details.getByRole('table', { name: 'Sale prices of New Zealand' }).getByRole('row')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText('100,000The game')
  await expect(rows.nth(2)).toContainText('30,000A player')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await details.getByRole('link', { name: 'Listed for 77,000 $COTTON' }).click()
  await expect(page).toHaveURL(/\/marketplace\?search=OC-NZ$/)
  await expect(namesOn(page)).toHaveText(['New Zealand'])
})

test(
  'an owner lists land from its details, and the focus moves to the listing',
  VARIANT,
  async ({ page }) => {
    const owner = await createPlayer(150_000)
    await owner.buy('NA-CU')
    await playAs(page.context(), owner)
    await page.goto('/parcels/NA')
    await page
      .getByRole('region', { name: /^(Countries|Sectors)/ })
      .getByRole('button', { name: /^Cuba\b/ })
      .click()
    const details = page.getByRole('dialog', { name: 'Land Details' })
    await details.getByRole('button', { name: 'Sell this land Cuba' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cuba' })
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(details).toBeVisible()
    await expect(details.getByRole('button', { name: 'Sell this land Cuba' })).toBeFocused()
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Price in $COTTON').fill('1,000,000,000,000')
    await dialog.getByLabel('Type the price again to confirm').fill('1000000000000')
    await expectFitsNarrow(page, dialog.locator('dl'))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const listed = details.getByRole('link', { name: 'Listed for 1,000,000,000,000 $COTTON Cuba' })
    await expect(listed).toBeFocused()
    await expectNoSidewaysScroll(page)
    await expectFitsNarrow(page, listed)
  },
)

test(
  'My Listings offers parcel and price, and refuses invalid input with a message (S-43, X-02)',
  DESKTOP_ONLY,
  async ({ page }) => {
    const owner = await createPlayer(250_000)
    await owner.buy('AF-KE')
    await owner.buy('AF-MG')
    await playAs(page.context(), owner)
    await page.goto('/marketplace?tab=mine')
    await expect(page.getByRole('heading', { name: "You don't have any active listings." })).toBeVisible()
    await page.getByRole('button', { name: 'Sell land' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sell land' })
    await expect(dialog.getByLabel('Land to sell')).toBeFocused()
    await dialog.getByRole('button', { name: 'List for sale' }).click()
    await expect(dialog.getByText('Choose the land that you want to sell.')).toBeVisible()
    const wrong = dialog.getByText('Enter a whole number from 1 to 1,000,000,000,000.')
    for (const price of ['0', '-5', '1.5', '1e3', '1000000000001']) {
      await dialog.getByLabel('Price in $COTTON').fill(price)
      await expect(wrong).toBeHidden()
      await dialog.getByRole('button', { name: 'List for sale' }).click()
      await expect(wrong).toBeVisible()
    }
    await dialog.getByLabel('Land to sell').selectOption('Kenya')
    await dialog.getByLabel('Price in $COTTON').fill('9')
    await dialog.getByLabel('Type the price again to confirm').fill('9')
    await listParcel(owner, 'AF-KE', 5)
    await dialog.getByRole('button', { name: 'List for sale' }).click()
    await expect(dialog.getByText('This parcel is already listed.')).toBeVisible()
    await dialog.getByLabel('Land to sell').selectOption('Madagascar')
    await expect(dialog.getByText('This parcel is already listed.')).toBeHidden()
    await expect(dialog.getByLabel('Land to sell').getByRole('option', { name: 'Kenya' })).toHaveCount(0)
    const failure = 'The game is busy.'
    const json = { success: false, code: 'busy', message: failure }
    await page.route('**/api/marketplace/list', (route) => route.fulfill({ status: 503, json }))
    await dialog.getByRole('button', { name: 'List for sale' }).click()
    await expect(dialog.getByText(failure)).toBeVisible()
    await page.unroute('**/api/marketplace/list')
    await dialog.getByLabel('Price in $COTTON').fill('10')
    await expect(dialog.getByText(failure)).toBeHidden()
    await dialog.getByLabel('Price in $COTTON').fill('9')
    await dialog.getByRole('button', { name: 'List for sale' }).click()
    await expect(page.getByText('Madagascar is on the market for 9 $COTTON.')).toBeVisible()
    await expect(namesOn(page)).toHaveText(['Madagascar', 'Kenya'])
  },
)

test('a cancelled listing disappears for everyone (S-42, S-68)', DESKTOP_ONLY, async ({ page, browser }) => {
  const seller = await createSeller('AS-JP', 12_345)
  const other = await openPage(browser, await createPlayer(0))
  await other.goto('/marketplace')
  await expect(cardOf(other, 'Japan')).toBeVisible()
  await playAs(page.context(), seller)
  await page.goto('/marketplace?tab=mine')
  await page.getByRole('button', { name: 'Cancel Listing Japan' }).click()
  await expect(page.getByText('Listing cancelled successfully.')).toBeVisible()
  await expect(cardOf(page, 'Japan')).toBeHidden()
  await expect(cardOf(other, 'Japan')).toBeHidden()
  await other.context().close()
})

test(
  'a seller cannot buy their own listing, and a visitor must log in first (S-43, S-78)',
  DESKTOP_ONLY,
  async ({ page }) => {
    const seller = await createSeller('SA-BR', 20_000)
    await page.goto('/marketplace')
    await closeGreeting(page)
    await cardOf(page, 'Brazil').getByRole('button').click()
    await expect(page.getByText('Please log in to make a purchase.')).toBeVisible()
    await page.getByRole('tab', { name: 'My Listings' }).click()
    await expect(page.getByRole('heading', { name: 'Please log in to view your listings.' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Go to your profile' }).click()
    await expect(page).toHaveURL(/\/profile$/)

    await playAs(page.context(), seller)
    await page.goto('/marketplace')
    await expect(cardOf(page, 'Brazil')).toContainText('Yours')
    await cardOf(page, 'Brazil').getByRole('button').click()
    await expect(page.getByText('You cannot purchase your own listing.')).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
  },
)

test('a purchase needs exactly enough credit to be confirmed (S-41)', DESKTOP_ONLY, async ({ page }) => {
  const sellers = [createSeller('EU-PL', 5_001), createSeller('SA-UY', 5_000)]
  const [poor] = await Promise.all([createPlayer(5_000), ...sellers])
  await playAs(page.context(), poor)
  await page.goto('/marketplace')
  await page.getByRole('button', { name: 'Purchase Poland' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm purchase: Poland' })
  await expect(confirm.getByText("You don't have enough tokens for this purchase")).toBeVisible()
  await expect(confirm.getByRole('button', { name: 'Confirm' })).toBeDisabled()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Purchase Poland' })).toBeFocused()

  await page.getByRole('button', { name: 'Purchase Uruguay' }).click()
  const enough = page.getByRole('dialog', { name: 'Confirm purchase: Uruguay' })
  await expect(enough).toContainText('Balance after0')
  await enough.getByRole('button', { name: 'Confirm' }).press('Enter')
  await expect(page.getByText('Purchase successful! The land is now yours.')).toBeVisible()
  await page.getByRole('dialog', { name: 'Uruguay is yours!' }).getByRole('button').last().click()
  await expect(page.locator('#listings')).toBeFocused()
})

test(
  'a listing that disappears while it is open shows a message and costs nothing',
  VARIANT,
  async ({ page }) => {
    const [seller, slow] = await Promise.all([createSeller('EU-NO', 1_000), createPlayer(2_000)])
    await playAs(page.context(), slow)
    await page.goto('/marketplace')
    await page.getByRole('button', { name: 'Purchase Norway' }).click()
    const confirm = page.getByRole('dialog', { name: 'Confirm purchase: Norway' })
    await expect(confirm.getByRole('button', { name: 'Confirm' })).toBeEnabled()
    const id = await readListingId(seller)
    await seller.call('POST', `/api/marketplace/cancel/${id}`, { walletAddress: seller.address })
    await expect(confirm.getByText('This listing is no longer available.')).toBeVisible()
    await expect(confirm.getByRole('button', { name: 'Confirm' })).toBeDisabled()
    await expect(balanceOn(page)).toContainText('2,000')
  },
)

test('filters, order and search are in the URL and survive a reload (X-20)', VARIANT, async ({ page }) => {
  const seller = await createPlayer(700_000)
  const offers = { 'EU-GI': 300, 'AN-03': 100, 'OC-PF': 200, 'AS-AE': 400 }
  for (const [parcelId, price] of Object.entries(offers)) {
    await seller.buy(parcelId)
    await listParcel(seller, parcelId, price)
  }
  await playAs(page.context(), seller)
  await page.goto('/marketplace')
  await page.getByLabel('Sort by').selectOption('Price: low to high')
  await page.getByLabel('Type').selectOption('Parcel')
  await expect(namesOn(page)).toHaveText(['Antarctica, sector 3'])
  await expect(cardOf(page, 'Antarctica, sector 3').getByText('Parcel', { exact: true })).toBeVisible()
  await page.getByLabel('Type').selectOption('All types')
  await page.getByLabel('Search').pressSequentially('french')
  await expect(namesOn(page)).toHaveText(['French Polynesia'])
  await expect(page).toHaveURL(/\?sort=priceAsc&search=french$/)
  await page.reload()
  await expect(page.getByLabel('Search')).toHaveValue('french')
  await expect(page.getByLabel('Sort by')).toHaveValue('priceAsc')
  await expect(namesOn(page)).toHaveText(['French Polynesia'])
  await page.getByLabel('Continent').selectOption('Africa')
  await expect(page.getByRole('heading', { name: 'No listings match these filters.' })).toBeVisible()
  await expectBothLayouts(page)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.locator('#listings')).toBeFocused()
  await expect(page).toHaveURL(/\?sort=priceAsc$/)
  await expect(page.getByLabel('Search')).toHaveValue('')
  await expect(namesOn(page).filter({ hasText: 'Gibraltar' })).toBeVisible()
  const own = ['Antarctica, sector 3', 'French Polynesia', 'Gibraltar']
  const cheapest = await namesOn(page).allTextContents()
  expect(cheapest.filter((name) => own.includes(name))).toEqual(own)
  await page.getByLabel('Sort by').selectOption('Oldest')
  await page.getByLabel('Continent').selectOption('Asia')
  await expect(namesOn(page).filter({ hasText: 'United Arab Emirates' })).toBeVisible()
  await expect(namesOn(page).filter({ hasText: 'Gibraltar' })).toBeHidden()
})

test('arrow keys switch tabs, and the tab is in the URL', VARIANT, async ({ page }) => {
  await page.goto('/marketplace')
  await closeGreeting(page)
  await page.getByRole('tab', { name: 'All Listings' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'My Listings' })).toBeFocused()
  await expect(page).toHaveURL(/tab=mine/)
  await expect(page.getByRole('tabpanel', { name: 'My Listings' })).toBeVisible()
  await page.keyboard.press('Home')
  await expect(page.getByRole('tabpanel', { name: 'All Listings' })).toBeVisible()
})

test(
  'without a socket the market polls every second, and failures can be retried',
  VARIANT,
  async ({ page }) => {
    const connections: WebSocketRoute[] = []
    await page.routeWebSocket('**/ws', (connection) => {
      connections.push(connection)
      void connection.close()
    })
    let broken = true
    await page.route('**/api/marketplace/listings', (route) => (broken ? route.abort() : route.continue()))
    await page.goto('/marketplace')
    await closeGreeting(page)
    await expect(page.getByRole('alert').getByText('The listings could not be loaded.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    broken = false
    await expect(page.getByRole('tabpanel')).toContainText(/\d+ listings?|No land for sale/)
    await createSeller('NA-CR', 777)
    await expect(cardOf(page, 'Costa Rica')).toBeVisible()
    expect(connections.length).toBeGreaterThan(0)
  },
)

test(
  'a purchase whose response is lost is repeated with its key, and buys once',
  DESKTOP_ONLY,
  async ({ page }) => {
    const [buyer] = await Promise.all([createPlayer(10_000), createSeller('SA-PE', 3_000)])
    await playAs(page.context(), buyer)
    await page.goto('/marketplace')
    const keys: (string | undefined)[] = []
    await page.route('**/api/marketplace/purchase', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.getByRole('button', { name: 'Purchase Peru' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText('Peru is yours!')).toBeVisible()
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    await page.goto('/profile')
    await expect(balanceOn(page)).toContainText('7,000')
    await expect(page.getByRole('link', { name: 'Peru Yours' })).toBeVisible()
  },
)

test('the menu links to an open market', VARIANT, async ({ page }) => {
  await page.goto('/buy-pickers')
  await closeGreeting(page)
  await page.getByRole('navigation', { name: 'Game' }).getByRole('link', { name: 'Marketplace' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Marketplace' })).toBeVisible()
  await expectNoSidewaysScroll(page)
})
