import type { Page } from '@playwright/test'
import { playAs } from './funded-player.ts'
import { balanceOn, readListingId, createPlayer, createSeller, shareMarket, test } from './open-market.ts'
import { expect, waitForRender, DESKTOP_ONLY, VARIANT } from './browser-test.ts'
import { playWithResponses, RESPONSES } from './response-fixtures.ts'

shareMarket()

// For the first attempt and its retry. The first land of a continent costs 100,000.
const LANDS = [
  ['NA-CU', 'Cuba'],
  ['SA-UY', 'Uruguay'],
] as const

test(
  'a seller is notified of a sale on any page, and the balance is updated (X-28)',
  DESKTOP_ONLY,
  async ({ page, context }) => {
    const [parcelId, country] = LANDS[test.info().retry]!
    const [seller, buyer] = await Promise.all([createSeller(parcelId, 100_000), createPlayer(120_000)])
    await playAs(context, seller)
    // The page compares later responses with the first one, which may be late on a slow machine.
    const first = page.waitForResponse(`**/api/marketplace/listings/user/${seller.address}`)
    await page.goto('/myfarm')
    await expect(balanceOn(page)).toContainText('50,000')
    await (await first).finished()
    const { status } = await buyer.call('POST', '/api/marketplace/purchase', {
      listingId: await readListingId(seller),
      walletAddress: buyer.address,
    })
    expect(status).toBe(200)
    await expect(page.getByText('Land sold!')).toBeVisible()
    await expect(page.getByText(`${country} has a new owner. You received 90,000 $COTTON.`)).toBeVisible()
    await expect(balanceOn(page)).toContainText('140,000')
  },
)

/** Opens a page whose clock the test advances, and returns a function that sells these listings of its player. */
async function openAsSeller(page: Page, countries: readonly string[]): Promise<() => Promise<void>> {
  const [listing] = RESPONSES.readUserListings!.listings
  let status = 'active'
  const readListings = () =>
    countries.map((countryName) => ({ ...listing!, id: countryName, countryName, status }))
  await page.clock.install()
  await playWithResponses(page, (name, whole) =>
    name === 'readUserListings' ? { success: true, next: null, listings: readListings() } : whole,
  )
  const nextRead = async (act: () => Promise<unknown>): Promise<void> => {
    const read = page.waitForResponse('**/api/marketplace/listings/user/*')
    await act()
    await (await read).finished()
    await waitForRender(page)
  }
  await nextRead(() => page.goto('/myfarm'))
  return () => {
    status = 'sold'
    return nextRead(() => page.clock.fastForward(30_000))
  }
}

/** Moves the page into a background tab, or back. */
const setHidden = (page: Page, hidden: boolean): Promise<void> =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, hidden)

test('several sales at once are reported in one toast', VARIANT, async ({ page }) => {
  const sell = await openAsSeller(page, ['France', 'Malta'])
  await sell()
  await expect(page.getByText('France, Malta have new owners. You received 216,000 $COTTON.')).toBeVisible()
})

test('a sale while the page is in a background tab is reported at the return', VARIANT, async ({ page }) => {
  const sell = await openAsSeller(page, ['France'])
  await setHidden(page, true)
  await sell()
  // Longer than a toast is shown.
  await page.clock.runFor(10_000)
  await setHidden(page, false)
  await expect(page.getByText('France has a new owner. You received 108,000 $COTTON.')).toBeVisible()
})

test('a sale is not reported twice after an absence, whose summary lists it', VARIANT, async ({ page }) => {
  const sell = await openAsSeller(page, ['France'])
  await setHidden(page, true)
  await sell()
  await page.clock.fastForward(3_600_000)
  await setHidden(page, false)
  await expect(page.getByRole('region', { name: 'While you were away' })).toBeVisible()
  expect(await page.getByText('Land sold!').count()).toBe(0)
})
