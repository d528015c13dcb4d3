import type { Locator } from '@playwright/test'
import { expect, test, VARIANT, variantFrom } from './browser-test.ts'
import { RESPONSES, playWithResponses } from './response-fixtures.ts'

const LISTING = RESPONSES.readListings!.listings[0]!.id
const RECONNECT = 'Unable to determine wallet address. Please reconnect your wallet.'

// The login popup may cover the button.
const press = (button: Locator): Promise<void> => button.dispatchEvent('click')

const WAYS = ['a token alone is in the storage', 'the address goes while one plays'] as const
for (const [index, how] of WAYS.entries()) {
  test(
    `nothing is bought or cancelled without a wallet address: ${how} (S-74, S-104)`,
    variantFrom(1, index),
    async ({ page }) => {
      await playWithResponses(page)
      const forget = () => page.evaluate(() => localStorage.removeItem('walletAddress'))
      if (how === 'a token alone is in the storage')
        await page.addInitScript(() => localStorage.removeItem('walletAddress'))
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.url())
      })

      await page.goto('/parcels/EU')
      await press(page.locator('[data-parcel="EU-MT"]'))
      await forget()
      await press(page.getByText('Buy This Parcel'))
      await expect(page.getByText('Wallet address not found', { exact: true })).toBeVisible()

      await page.goto('/marketplace')
      const purchase = page.locator(`[data-listing="${LISTING}"] button`)
      await expect(purchase).toBeVisible()
      await forget()
      await press(purchase)
      await expect(page.getByText(RECONNECT)).toBeVisible()

      if (how === 'the address goes while one plays') {
        await page.goto('/marketplace?tab=mine')
        const cancel = page.getByRole('button', { name: /^Cancel Listing/ })
        await expect(cancel).toBeVisible()
        await forget()
        await cancel.click()
        await expect(page.getByText(RECONNECT)).toBeVisible()
      }
      expect(sent).toEqual([])
    },
  )
}

test('a purchase that a proxy refuses shows the message of the proxy (S-103)', VARIANT, async ({ page }) => {
  await playWithResponses(page)
  await page.route('**/api/parcels/purchase', (route) =>
    route.fulfill({ status: 500, json: { message: 'Server exploded' } }),
  )
  await page.goto('/parcels/EU')
  await page.locator('[data-parcel="EU-MT"]').click()
  await page.getByRole('button', { name: 'Buy This Parcel' }).click()
  await expect(page.getByText('Purchase Error', { exact: true })).toBeVisible()
  await expect(page.getByText('Server exploded', { exact: true })).toBeVisible()
})
