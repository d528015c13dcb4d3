import { expect, test, VARIANT } from './browser-test.ts'
import { playWithResponses, RESPONSES } from './response-fixtures.ts'

test('the age of a listing grows while the page is open', VARIANT, async ({ page }) => {
  const [listing] = RESPONSES.readListings!.listings
  const listedDate = new Date().toISOString()
  await page.clock.install()
  await playWithResponses(page, (name, whole) =>
    name === 'readListings' ? { ...RESPONSES.readListings, listings: [{ ...listing, listedDate }] } : whole,
  )
  await page.goto('/marketplace')
  const card = page.getByRole('article', { name: 'Poland' })
  await expect(card).toContainText('Listed this minute')
  await page.clock.fastForward(5 * 60_000)
  await expect(card).toContainText('Listed 5 minutes ago')
})
