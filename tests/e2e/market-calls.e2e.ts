import { playAs } from './funded-player.ts'
import {
  cardOf,
  readListingId,
  namesOn,
  openMarket,
  createPlayer,
  listParcel,
  createSeller,
  test,
} from './open-market.ts'
import { closeGreeting, expect, DESKTOP_ONLY } from './browser-test.ts'

// Only these tests use this land, because other files have their own games.
openMarket()

const text = expect.any(String)

test('the calls of the market (S-56, S-61, S-68, S-81, S-93, S-94, S-107)', DESKTOP_ONLY, async () => {
  const [seller, buyer] = await Promise.all([createSeller('EU-IS', 10_000), createPlayer(10_000)])
  const listing = {
    id: text,
    status: 'active',
    continentCode: 'EU',
    assetType: 'country',
    countryCode: 'IS',
    countryName: 'Iceland',
    regionName: 'Europe',
    displayPrice: 10_000,
    originalPrice: 10_000,
    listedDate: text,
    sellerWalletAddress: seller.address,
    buyerWalletAddress: null,
    purchaseDate: null,
  }
  const all = await buyer.call('GET', '/api/marketplace/listings')
  expect(all.body).toMatchObject({ success: true, listings: [listing] })
  const listingId = await readListingId(seller)
  const own = { listingId, walletAddress: seller.address }
  expect(await seller.call('POST', '/api/marketplace/purchase', own)).toMatchObject({
    status: 403,
    body: { success: false, message: 'You cannot purchase your own listing.' },
  })
  const walletAddress = buyer.address
  expect(await buyer.call('POST', `/api/marketplace/cancel/${listingId}`, { walletAddress })).toMatchObject({
    status: 403,
  })
  const bought = await buyer.call('POST', '/api/marketplace/purchase', { listingId, walletAddress })
  expect(bought.body).toMatchObject({ success: true, message: 'Purchase successful! The land is now yours.' })
  const mine = await seller.call('GET', `/api/marketplace/listings/user/${seller.address}`)
  const sold = { ...listing, status: 'sold', buyerWalletAddress: walletAddress, purchaseDate: text }
  expect(mine.body).toMatchObject({ success: true, listings: [sold] })
  const { body } = await seller.call('GET', `/api/users/wallet/${seller.address}`)
  expect(body.creditBalance).toBe(150_000 - 100_000 + 9_000)

  await listParcel(buyer, 'EU-IS', 5)
  const cancelled = await buyer.call('POST', `/api/marketplace/cancel/${await readListingId(buyer)}`, {
    walletAddress,
  })
  expect(cancelled.body).toMatchObject({ success: true, message: 'Listing cancelled successfully.' })
  const after = await buyer.call('GET', `/api/marketplace/listings/user/${walletAddress}`)
  expect((after.body as { listings: object[] }).listings).toEqual(
    expect.not.arrayContaining([expect.objectContaining({ status: 'active' })]),
  )
})

test(
  'the filters have the specified options (S-38, S-39, S-40, A-05, A-33)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await Promise.all([createSeller('EU-MT', 2_000), createSeller('AN-09', 1_000)])
    await page.goto('/marketplace')
    await closeGreeting(page)
    await expect(page.getByRole('tab')).toHaveText(['All Listings', 'My Listings'])
    const values = (label: string) =>
      page
        .getByLabel(label)
        .getByRole('option')
        .evaluateAll((each) => each.map((option) => (option as HTMLOptionElement).value))
    await expect.poll(() => values('Continent')).toEqual(['all', 'NA', 'SA', 'EU', 'AS', 'AF', 'OC', 'AN'])
    expect(await values('Type')).toEqual(['all', 'country', 'parcel'])
    expect(await values('Sort by')).toEqual(['newest', 'oldest', 'priceAsc', 'priceDesc'])

    const first = async () => (await namesOn(page).allTextContents())[0]
    await page.getByLabel('Sort by').selectOption('priceDesc')
    await expect.poll(first).toBe('Malta')
    await page.getByLabel('Sort by').selectOption('priceAsc')
    await expect.poll(first).toBe('Antarctica, sector 9')
    await page.getByLabel('Type').selectOption('country')
    await expect(namesOn(page).filter({ hasText: 'Antarctica' })).toHaveCount(0)
    await page.getByLabel('Type').selectOption('parcel')
    await expect(namesOn(page)).toHaveText(['Antarctica, sector 9'])
    await page.getByLabel('Type').selectOption('all')
    for (const code of ['AN', 'EU']) {
      await page.getByLabel('Continent').selectOption(code)
      await expect(namesOn(page).first()).toHaveText(code === 'AN' ? 'Antarctica, sector 9' : 'Malta')
    }

    const malta = cardOf(page, 'Malta')
    await expect(malta).toContainText('Europe')
    await expect(malta).toContainText('2,000 tokens')
    await expect(malta).toContainText('Listed')
    await expect(malta.locator('time')).toHaveAttribute('datetime', /^\d{4}-/)
    await expect(malta.getByRole('button', { name: 'Purchase Malta' })).toBeVisible()
    await expect(malta.locator('img').first()).toBeVisible()
    await page.getByLabel('Continent').selectOption('AN')
    await expect(cardOf(page, 'Antarctica, sector 9').getByText('Parcel', { exact: true })).toBeVisible()
  },
)

test(
  'a failed purchase or cancellation shows the message of the market (S-104)',
  DESKTOP_ONLY,
  async ({ page }) => {
    const [owner] = await Promise.all([createPlayer(150_000), createSeller('EU-LU', 700)])
    await owner.buy('EU-SM')
    await listParcel(owner, 'EU-SM', 900)
    await playAs(page.context(), owner)
    await page.goto('/marketplace')
    const answers: [json: object | null, sentence: string][] = [
      [{ success: false, code: 'busy' }, 'Purchase failed.'],
      [{ success: false, code: 'busy', message: 'The game is busy.' }, 'The game is busy.'],
      [
        null,
        'Failed to complete purchase. It may have gone through. Trying again within a minute is safe: it counts only once, unless you reload the page.',
      ],
    ]
    await page.getByRole('button', { name: 'Purchase Luxembourg' }).click()
    for (const [json, sentence] of answers) {
      await page.route('**/api/marketplace/purchase', (route) =>
        json ? route.fulfill({ json }) : route.abort(),
      )
      await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
      await expect(page.getByText(sentence, { exact: true })).toBeVisible()
    }
    // The dialog stays open during the purchase.
    await expect(async () => {
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden({ timeout: 1_000 })
    }).toPass()
    await page.route('**/api/marketplace/cancel/*', (route) => route.abort())
    await page.getByRole('tab', { name: 'My Listings' }).click()
    await page.getByRole('button', { name: 'Cancel Listing San Marino' }).click()
    await expect(page.getByText('Failed to cancel listing.')).toBeVisible()
    await expect(cardOf(page, 'San Marino')).toContainText('Active')
  },
)
