import type { Page, WebSocket } from '@playwright/test'
import { createFundedPlayer, playAs } from './funded-player.ts'
import { delayResponses, playWithBalance } from './delay-responses.ts'
import { expectToastToStay, installClock } from './page-clock.ts'
import { RESPONSES, playWithResponses } from './response-fixtures.ts'
import { closeGreeting, expect, DESKTOP_ONLY, test, VARIANT } from './browser-test.ts'

const PARCELS = '**/api/parcels?*'
const PURCHASE = '**/api/parcels/purchase'

const details = (page: Page) => page.getByRole('dialog', { name: 'Land Details' })
const cards = (page: Page) => page.getByRole('region', { name: /^(Countries|Sectors)/ }).getByRole('button')

/** The server's response for Europe: two of thirteen parcels sold, at the second price. */
async function stubEurope(page: Page): Promise<void> {
  await page.routeWebSocket('**/ws', (socket) => socket.close())
  const buildStats = (owned: number) => ({
    owned,
    total: 13,
    available: 13 - owned,
    currentPrice: 102_000,
    version: 9,
  })
  const codes = ['NA', 'SA', 'EU', 'AS', 'AF', 'OC', 'AN']
  const stats = Object.fromEntries(codes.map((code) => [code, buildStats(code === 'EU' ? 2 : 0)]))
  await page.route('**/api/continent-stats', (route) => route.fulfill({ json: stats }))
  const land = (countryCode: string, countryName: string, tier: number, ownerWallet: string | null) => ({
    parcelId: `EU-${countryCode}`,
    regionId: 'EU',
    regionName: 'Europe',
    countryCode,
    countryName,
    assetType: 'country',
    owned: ownerWallet !== null,
    ownerWallet,
    area: 543_940,
    tier,
    basePrice: 150_000,
  })
  const somebody = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'
  await page.route(PARCELS, (route) =>
    route.fulfill({
      json: [land('FR', 'France', 1, null), land('PL', 'Poland', 2, somebody), land('MT', 'Malta', 3, null)],
    }),
  )
}

test(
  'land loads, then shows the figures of the continent and the state of each parcel (S-31, S-33, S-34, S-35, S-36, S-37, S-71, A-31)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await installClock(page)
    await playWithBalance(page, 500_000)
    await stubEurope(page)
    const delayed = await delayResponses(page, PARCELS)
    await page.goto('/parcels/EU')
    await expect(page.getByText('Loading parcels...')).toBeVisible()
    delayed.release()
    const facts = page.getByRole('region', { name: 'Land in Europe' })
    await expect(facts).toContainText('Current Price102,000 tokens')
    await expect(facts).toContainText('Previous Price100,000')
    await expect(facts).toContainText('AvailableYes')
    await expect(facts).toContainText('Land earns no $COTTON')
    await expect(facts.getByText(/SOLD/)).toHaveCount(0)
    await expect(facts.getByRole('progressbar')).toHaveAttribute('value', '15')
    await expect(facts.locator('[data-tone]')).toHaveAttribute('data-tone', 'green')
    await expect(cards(page)).toHaveCount(3)
    await expect(cards(page)).toHaveText([
      /France.*tier 1.*Available/,
      /Malta.*tier 3.*Available/,
      /Poland.*tier 2.*Owned/,
    ])
    for (const card of await cards(page).all()) await expect(card.locator('svg, img').first()).toBeVisible()

    await cards(page).filter({ hasText: 'France' }).click()
    for (const row of [
      'CodeEU-FR',
      'RegionEurope',
      'CountryFrance',
      'Area543,940 km²',
      'StatusAvailable',
      'Price102,000',
    ])
      await expect(details(page)).toContainText(row)
    await expect(details(page).getByRole('button', { name: 'Buy This Parcel' })).toBeVisible()
    await expect(details(page).getByText('Purchases are final. Land earns no $COTTON')).toBeVisible()
    await details(page).getByRole('button', { name: 'Close' }).last().click()
    await expect(details(page)).toBeHidden()

    const when = () => cards(page).filter({ hasText: 'Poland' }).click()
    await expectToastToStay(page, { text: 'This parcel is already owned.', ms: 3_000, when })
    await expect(details(page)).toContainText('StatusOwned')
    await expect(details(page).getByText('Price', { exact: true })).toHaveCount(0)
    await expect(details(page).getByRole('button', { name: 'Buy This Parcel' })).toHaveCount(0)
  },
)

test(
  'the sold bar has the specified colour and a label only above 15 percent (S-32, S-100)',
  VARIANT,
  async ({ page }) => {
    await playWithBalance(page, 0)
    await stubEurope(page)
    const buildStats = (owned: number) => ({
      owned,
      total: 100,
      available: 100 - owned,
      currentPrice: 1,
      version: 9,
    })
    const codes = ['NA', 'SA', 'EU', 'AS', 'AF', 'OC', 'AN'] as const
    const shares = { NA: 15, SA: 16, EU: 70, AS: 71, AF: 90, OC: 91, AN: 100 }
    const stats = Object.fromEntries(codes.map((code) => [code, buildStats(shares[code])]))
    await page.route('**/api/continent-stats', (route) => route.fulfill({ json: stats }))
    await page.goto('/parcels')
    const bars = page.getByRole('list', { name: 'Continents' }).locator('[data-tone]')
    await expect(bars).toHaveCount(7)
    await expect(bars).toHaveText([
      '',
      '16% SOLD',
      '70% SOLD',
      '71% SOLD',
      '90% SOLD',
      '91% SOLD',
      '100% SOLD',
    ])
    const colours = await bars.evaluateAll((each) => each.map((bar) => bar.getAttribute('data-tone')))
    expect(colours).toEqual(['green', 'green', 'green', 'orange', 'orange', 'red', 'red'])
    const fill = await bars
      .first()
      .locator('div')
      .evaluate((each) => getComputedStyle(each).backgroundImage)
    expect(
      `${fill} ${await bars
        .first()
        .locator('div')
        .evaluate((each) => getComputedStyle(each).backgroundColor)}`,
    ).toContain('rgb(10, 255, 75)')
  },
)

test('a region without land shows a message (S-35)', DESKTOP_ONLY, async ({ page }) => {
  await playWithBalance(page, 0)
  await page.route(PARCELS, (route) => route.fulfill({ json: [] }))
  await page.goto('/parcels/OC')
  await expect(page.getByText('No parcels available for this region.')).toBeVisible()
})

test(
  'a purchase of land is sent once, and each failure has its own message (S-67, S-69, S-92, S-103, S-107)',
  DESKTOP_ONLY,
  async ({ page }) => {
    const { address } = await playWithBalance(page, 500_000)
    await stubEurope(page)
    await page.route(PURCHASE, (route) => route.abort())
    const delayed = await delayResponses(page, PURCHASE)
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/parcels/purchase')) keys.push(request.headers()['idempotency-key'])
    })
    await page.goto('/parcels/EU')
    await cards(page).filter({ hasText: 'France' }).click()
    const buy = details(page).getByRole('button', { name: /^(Buy This Parcel|Purchasing\.\.\.)$/ })
    await expect(page.getByText('500,000').first()).toBeAttached()
    const sent = page.waitForRequest(PURCHASE)
    await buy.click()
    await expect(buy).toHaveText('Purchasing...')
    await buy.click()
    expect((await sent).postDataJSON()).toMatchObject({ parcelId: 'EU-FR', walletAddress: address })
    expect(delayed.callCount).toBe(1)
    delayed.release()
    await expect(page.getByText('Purchase Error')).toBeVisible()
    // Without an answer it is repeated, with the key with which it counts once.
    expect(new Set(keys).size).toBe(1)
    await page.route(PURCHASE, (route) =>
      route.fulfill({ json: { success: false, code: 'busy', message: 'France is asleep.' } }),
    )
    await buy.click()
    await expect(page.getByText('Purchase Failed')).toBeVisible()
    await expect(page.getByText('France is asleep.')).toBeVisible()

    await page.route(PURCHASE, (route) =>
      route.fulfill({
        json: {
          success: true,
          message: '',
          parcel: { parcelId: 'EU-FR', owned: true, ownerWallet: address, pricePaid: 102_000 },
          newContinentPrice: 104_040,
          newBalance: 398_000,
          version: 10,
        },
      }),
    )
    await buy.click()
    const sentence = details(page).getByText('Parcel EU-FR purchased successfully for 102,000 tokens.')
    await expect(sentence).toBeVisible()
    await expect(details(page).getByText('France is yours!')).toBeVisible()
    await expect(page.locator('[data-price]')).toHaveText('104,040 tokens')
  },
)

test(
  'an agreed price stays on the screen until the answer, even if the sale is published first',
  VARIANT,
  async ({ page }) => {
    const player = await createFundedPlayer(500_000)
    await playAs(page.context(), player)
    const delayed = await delayResponses(page, PURCHASE)
    await page.goto('/parcels/SA')
    await cards(page).filter({ hasText: 'Chile' }).click()
    const price = details(page).locator('output')
    const agreed = await price.textContent()
    const shownOnPage = page.locator('[data-price]')
    const before = await shownOnPage.textContent()
    await details(page).getByRole('button', { name: 'Buy This Parcel' }).click()
    await expect(details(page).getByRole('button', { name: 'Purchasing...' })).toBeVisible()
    // The purchase waits, and another sale raises the price on the page behind the dialog.
    await player.buy('SA-PE')
    await expect(shownOnPage).not.toHaveText(before!)
    await expect(price).toHaveText(agreed!)
    delayed.release()
    await expect(details(page).getByText('Purchase Failed')).toBeVisible()
    await expect(price).not.toHaveText(agreed!)
  },
)

test('a purchase that waits is shown on its own land only', VARIANT, async ({ page }) => {
  await playWithBalance(page, 500_000)
  await stubEurope(page)
  const json = { success: false, code: 'busy', message: 'The game is busy.' }
  await page.route(PURCHASE, (route) => route.fulfill({ status: 503, json }))
  const delayed = await delayResponses(page, PURCHASE)
  await page.goto('/parcels/EU')
  await expect(page.getByText('500,000').first()).toBeAttached()
  await cards(page).filter({ hasText: 'France' }).click()
  await details(page).getByRole('button', { name: 'Buy This Parcel' }).click()
  await expect(details(page).getByRole('button', { name: 'Purchasing...' })).toBeVisible()
  await page.keyboard.press('Escape')
  await cards(page).filter({ hasText: 'Malta' }).click()
  await expect(details(page)).toContainText('CountryMalta')
  await expect(details(page).getByRole('button', { name: 'Buy This Parcel' })).toBeEnabled()
  delayed.release()
  await expect(details(page).getByText('The game is busy.')).toBeVisible()
})

test(
  'the land under pointer or focus shows name, tier, owner and price, within the map',
  VARIANT,
  async ({ page }) => {
    await playWithBalance(page, 0)
    await stubEurope(page)
    await page.goto('/parcels/EU')
    const sign = page.locator('[data-sign]')
    const land = (id: string) => page.locator(`[data-land="${id}"]`)
    await land('EU-FR').hover()
    await expect(sign).toHaveText(/^FranceTier 1Free102,000$/)
    await page.keyboard.press('Escape')
    await expect(sign).toBeHidden()
    await land('EU-PL').hover()
    await expect(sign).toHaveText('PolandTier 2HCEj4F…2iPi')
    await land('EU-FR').focus()
    await page.keyboard.press('ArrowDown')
    await expect(sign).toHaveAttribute('data-sign', 'EU-MT')
    const [inner, outer] = await Promise.all(
      [sign, page.getByRole('region', { name: 'Map of Europe' })].map((each) => each.boundingBox()),
    )
    expect(inner!.y + inner!.height).toBeLessThan(outer!.y + outer!.height)
    expect(inner!.x).toBeGreaterThan(outer!.x)
  },
)

test('land is chosen by owner and ordered by tier', VARIANT, async ({ page }) => {
  await playWithBalance(page, 0)
  await stubEurope(page)
  await page.goto('/parcels/EU')
  await page.getByRole('button', { name: 'Free 2' }).click()
  await expect(cards(page)).toHaveText([/France/, /Malta/])
  await page.getByRole('button', { name: 'All 3' }).click()
  await page.getByLabel('Sort by').selectOption('By tier')
  await expect(cards(page)).toHaveText([/France/, /Poland.*HCEj4F…2iPi/, /Malta/])
  await page.getByRole('button', { name: 'Yours 0' }).click()
  await expect(page.getByText('You own no land here yet.')).toBeVisible()
})

test(
  'the pages of land and pickers connect to their own host (S-95, S-96, S-97, A-16)',
  DESKTOP_ONLY,
  async ({ page }) => {
    const connections: { socket: WebSocket; framesSent: string[]; received: string[] }[] = []
    page.on('websocket', (socket) => {
      const traffic = { socket, framesSent: [] as string[], received: [] as string[] }
      connections.push(traffic)
      socket.on('framesent', ({ payload }) => traffic.framesSent.push(String(payload)))
      socket.on('framereceived', ({ payload }) => traffic.received.push(JSON.parse(String(payload)).type))
    })
    await page.goto('/parcels/EU')
    await closeGreeting(page)
    await expect
      .poll(() => connections[0]?.received ?? [])
      .toEqual(expect.arrayContaining(['continentPrices', 'parcelStatus']))
    expect(connections[0]!.framesSent).toContain('{"type":"subscribe","topic":"continent:EU"}')
    await page.goto('/buy-pickers')
    await expect.poll(() => connections[1]?.received ?? []).toContain('workerUpdate')
    for (const { socket } of connections) expect(new URL(socket.url()).host).toBe(new URL(page.url()).host)
  },
)

test('a parcelUpdate alone makes the page read its land again (S-96)', DESKTOP_ONLY, async ({ page }) => {
  let isSold = false
  await playWithResponses(page, (name, whole) => {
    if (isSold && name === 'readContinentStats')
      return { EU: { owned: 3, total: 3, available: 0, currentPrice: 106_121, version: 3 } }
    if (isSold && name === 'readParcels')
      return RESPONSES.readParcels!.map((parcel) => ({ ...parcel, owned: true }))
    return whole
  })
  let sendUpdate = (): void => undefined
  const update = { type: 'parcelUpdate', data: { regionId: 'EU', version: 3 } }
  await page.routeWebSocket('**/ws', (socket) => {
    sendUpdate = () => socket.send(JSON.stringify(update))
  })
  await page.goto('/parcels/EU')
  const malta = page.locator('[data-parcel="EU-MT"]')
  await expect(malta).toContainText('Available')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  isSold = true
  sendUpdate()
  // Long before the page reads it without a message.
  await expect(malta).toContainText('Owned', { timeout: 10_000 })
})

test('a hidden tab sends no requests (A-29)', DESKTOP_ONLY, async ({ page }) => {
  await installClock(page)
  await playWithBalance(page, 0)
  await stubEurope(page)
  let requestCount = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/continent-stats')) requestCount += 1
  })
  await page.goto('/parcels/EU')
  await expect(cards(page)).toHaveCount(3)
  await expect.poll(() => requestCount).toBeGreaterThan(2)
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }))
  // Requests in flight still arrive, and a new request would be seen a moment later.
  await page.waitForTimeout(300)
  const before = requestCount
  for (let second = 0; second < 4; second += 1) {
    await page.clock.runFor(1_000)
    await page.waitForTimeout(150)
  }
  expect(requestCount).toBe(before)
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: false, configurable: true }))
  await page.clock.runFor(1_000)
  await expect.poll(() => requestCount).toBeGreaterThan(before)
})

test('without a socket, what players ask for land is polled', DESKTOP_ONLY, async ({ page }) => {
  await playWithResponses(page)
  await page.routeWebSocket('**/ws', (socket) => socket.close())
  const [listing] = RESPONSES.readListings!.listings
  let displayPrice = 120_000
  await page.route('**/api/marketplace/listings', (route) =>
    route.fulfill({
      json: { ...RESPONSES.readListings, listings: [{ ...listing, displayPrice }] },
    }),
  )
  await page.goto('/parcels/EU')
  const card = page.locator(`[data-parcel="${listing!.parcelId}"]`)
  await expect(card).toContainText('120,000')
  displayPrice = 130_000
  await expect(card).toContainText('130,000')
})

test(
  'with a socket, listings are read again after 30 seconds, because a message can be missing',
  VARIANT,
  async ({ page }) => {
    await page.clock.install()
    await playWithResponses(page)
    let { listings } = RESPONSES.readListings!
    await page.route('**/api/marketplace/listings', (route) =>
      route.fulfill({ json: { ...RESPONSES.readListings!, listings } }),
    )
    await page.goto('/marketplace')
    await expect(page.locator('[data-listing]')).toHaveCount(listings.length)
    await expect(page.locator('[data-freshness]')).toHaveAttribute('data-freshness', 'live')
    listings = []
    await page.clock.runFor(30_000)
    await expect(page.locator('[data-listing]')).toHaveCount(0)
  },
)
