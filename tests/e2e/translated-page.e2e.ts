import type { Page, WebSocketRoute } from '@playwright/test'
import { DESKTOP_ONLY, expect, logIn, settle, test, VARIANT } from './browser-test.ts'
import { HIRED_KID, playWithResponses, WALLET } from './response-fixtures.ts'

/** Replaces the texts of the page as the translator of a browser does. The nodes that React has created are gone. */
async function translate(page: Page): Promise<void> {
  await settle(page)
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      if (text.data.trim() === '' || text.parentElement?.closest('script, style, noscript, svg')) continue
      const font = document.createElement('font')
      font.textContent = `«${text.data}»`
      text.replaceWith(font)
    }
  })
}

test('a visitor logs in on a translated page', DESKTOP_ONLY, async ({ page }) => {
  await page.goto('/buy-pickers')
  await expect(page.getByRole('button', { name: 'Play with a test wallet' })).toBeEnabled()
  await translate(page)
  await expect(page.getByRole('button', { name: '«Play with a test wallet»' })).toBeVisible()
  await logIn(page)
  await expect(page.getByRole('button', { name: /^Wallet .*, open profile$/ }).first()).toBeVisible()
})

test('a purchase on a translated page shows its progress and its result', VARIANT, async ({ page }) => {
  await playWithResponses(page)
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/workers/purchase', async (route) => {
    await answered
    await route.fulfill({ json: HIRED_KID })
  })
  await page.goto('/buy-pickers')
  await translate(page)
  const buy = page.locator('#hire-kid')
  await expect(buy).toHaveText('«BUY»')
  await buy.click()
  await expect(buy).toHaveText('PURCHASING...')
  answer()
  await expect(page.getByText('Successfully purchased kid-0042!')).toBeVisible()
  await expect(buy).toHaveText('BUY')
})

test('land that is sold while its page is translated gets its new owner', VARIANT, async ({ page }) => {
  await playWithResponses(page)
  let connection: WebSocketRoute | undefined
  await page.routeWebSocket('**/ws', (socket) => {
    connection = socket
  })
  await page.goto('/parcels/EU')
  const card = page.locator('[data-parcel="EU-MT"]')
  await expect(card).toContainText('Available')
  await translate(page)
  await expect(card).toContainText('«Available»')
  await expect.poll(() => connection).toBeDefined()
  const parcels = [{ parcelId: 'EU-MT', owned: true, ownerWallet: WALLET }]
  const data = { continentCode: 'EU', total: 3, owned: 3, parcels, version: 3 }
  connection!.send(JSON.stringify({ type: 'parcelStatus', data }))
  await expect(card).toContainText('Yours')
})
