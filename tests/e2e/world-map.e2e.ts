import type { Page, WebSocketRoute } from '@playwright/test'
import { createFundedPlayer, playAs } from './funded-player.ts'
import { balanceOn } from './open-market.ts'
import {
  closeGreeting,
  expect,
  expectAccessible,
  expectBothLayouts,
  expectNoSidewaysScroll,
  ignoreOfflineErrors,
  isPhone,
  settle,
  DESKTOP_ONLY,
  test,
  VARIANT,
  DESKTOP_FIRST,
} from './browser-test.ts'

// All tests share one world. Tests that compare prices use a continent of their own, and none buys in Europe.

const cardOf = (page: Page, name: string) =>
  page
    .getByRole('region', { name: /^(Countries|Sectors)/ })
    .getByRole('button', { name: new RegExp(`^${name}\\b`) })

const details = (page: Page) => page.getByRole('dialog', { name: 'Land Details' })

const priceOn = (page: Page) => page.locator('dt:text-is("Current Price") + dd')

async function goToLand(page: Page, code: string): Promise<void> {
  await page.goto(`/parcels/${code}`)
  await expect(page.getByRole('region', { name: /^(Countries|Sectors)/ })).toBeVisible()
}

const CONTINENTS = {
  NA: 'North America',
  SA: 'South America',
  EU: 'Europe',
  AS: 'Asia',
  AF: 'Africa',
  OC: 'Oceania',
  AN: 'Antarctica',
}

test(
  'links lead from pickers to the world, to each continent and back (X-01)',
  DESKTOP_FIRST,
  async ({ page }) => {
    await page.goto('/buy-pickers')
    await closeGreeting(page)
    await page.getByRole('link', { name: 'Open the world map' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'World Map' })).toBeVisible()
    const cards = page.getByRole('list', { name: 'Continents' })
    for (const name of Object.values(CONTINENTS)) {
      await expect(cards.getByRole('link', { name: new RegExp(`^${name}`) })).toContainText(/\d+ of \d+ left/)
    }
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await cards.getByRole('link', { name: /^Europe/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Europe' })).toBeVisible()
    const continents = page.getByRole('navigation', { name: 'Continents' })
    await continents.getByRole('link', { name: 'Antarctica' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Antarctica' })).toBeVisible()
    await page.getByRole('link', { name: isPhone(page) ? 'World' : 'World map', exact: true }).click()
    await expect(page).toHaveURL(/\/parcels$/)
  },
)

for (const [code, name] of Object.entries(CONTINENTS)) {
  test(`a visitor can view ${name}`, VARIANT, async ({ page }) => {
    await page.goto(`/parcels/${code}`)
    await closeGreeting(page)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await expect(page.locator('path[role=button]').first()).toBeVisible()
    const cards = page.getByRole('region', { name: /^(Countries|Sectors)/ }).getByRole('button')
    const onMap = page.getByRole('region', { name: `Map of ${name}` }).getByRole('button')
    expect(await onMap.count()).toBe(await cards.count())
    await expectBothLayouts(page)
  })
}

test(
  'an address can name a region; an unknown region is an error page (S-03, S-31)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await page.goto('/parcels/EU?regionName=The Old World')
    await closeGreeting(page)
    await expect(page.getByRole('heading', { level: 1, name: 'The Old World' })).toBeVisible()
    await expect(page).toHaveTitle(/The Old World/)
    await page.goto('/parcels/XX')
    await expect(page.getByRole('heading', { name: 'This path leads nowhere' })).toBeVisible()
  },
)

test(
  'before the first sale the previous price says that nothing was sold (S-33, A-08)',
  VARIANT,
  async ({ page }) => {
    await page.goto('/parcels/EU')
    await closeGreeting(page)
    await expect(priceOn(page)).toHaveText('100,000 tokens')
    const facts = page.getByRole('region', { name: 'Land in Europe' })
    await expect(facts).toContainText('Previous Price98,039The current price is 2% higher; nothing sold yet')
    await expect(facts).toContainText('AvailableYes')
    await expect(facts.getByText(/SOLD/)).toBeHidden()
  },
)

test(
  'one player buys and another sees it without a reload (S-67, S-107, X-03)',
  DESKTOP_ONLY,
  async ({ page, browser }) => {
    const [code, land, name] = ['NA', 'NA-CU', 'Cuba']
    const [ana, bob] = await Promise.all([createFundedPlayer(300_000), createFundedPlayer(0)])
    const { baseURL, viewport } = test.info().project.use
    const other = await browser.newContext({
      baseURL: baseURL ?? process.env.GAME_URL,
      viewport,
      reducedMotion: 'reduce',
    })
    await playAs(other, bob)
    const watching = await other.newPage()
    await goToLand(watching, code)
    await expect(watching.getByText('Live', { exact: true })).toBeVisible()
    await expect(priceOn(watching)).toHaveText('100,000 tokens')
    await expect(cardOf(watching, name)).toContainText('Available')

    await playAs(page.context(), ana)
    await goToLand(page, code)
    await cardOf(page, name).click()
    await expect(details(page)).toContainText(`Code${land}`)
    await expect(details(page)).toContainText('Price100,000')
    await expectBothLayouts(page)
    await details(page).getByRole('button', { name: 'Buy This Parcel' }).click()

    await expect(details(page).getByText('Purchase Complete')).toBeVisible()
    await expect(details(page).getByText(`${name} is yours!`)).toBeVisible()
    await expect(page.getByText(`Parcel ${land} purchased successfully for 100,000 tokens.`)).toBeVisible()
    await expect(details(page)).toContainText('StatusYours')
    await expect(details(page).getByRole('button', { name: 'Buy This Parcel' })).toBeHidden()
    await expect(details(page).getByText('Price', { exact: true })).toHaveCount(0)
    await expectBothLayouts(page)

    await expect(cardOf(watching, name)).toContainText('Owned')
    await expect(priceOn(watching)).toHaveText('102,000 tokens')
    await expect(watching.getByText('Previous Price')).toBeVisible()
    await expect(watching.locator('dl', { hasText: 'Previous Price' }).last()).toContainText('100,000')
    await other.close()

    await page.keyboard.press('Escape')
    await expect(cardOf(page, name)).toBeFocused()
    await expect(priceOn(page)).toHaveText('102,000 tokens')
    await expect(balanceOn(page)).toContainText('200,000')
    await page.goto('/profile')
    const mine = page.getByRole('region', { name: 'Owned Land' })
    await expect(mine.getByRole('link', { name: new RegExp(name) })).toContainText('Yours')
    await expectBothLayouts(page)
  },
)

test('pickers that others hire disappear at once for everyone (S-97)', VARIANT, async ({ page }) => {
  const player = await createFundedPlayer(600_000)
  await page.goto('/buy-pickers')
  await closeGreeting(page)
  const available = page
    .getByRole('region', { name: 'BigMan' })
    .locator('div', { has: page.getByText('Available', { exact: true }) })
    .last()
    .locator('dd')
  await expect(available).toBeVisible()
  await settle(page)
  const shown = async () => Number((await available.textContent())!.replaceAll(',', ''))
  const before = await shown()
  const body = { workerType: 'bigman', walletAddress: player.address }
  expect((await player.call('POST', '/api/workers/purchase', body)).status).toBe(200)
  await expect.poll(shown, { timeout: 5_000 }).toBeLessThan(before)
})

test('a visitor who buys is asked to connect a wallet (S-73)', DESKTOP_ONLY, async ({ page }) => {
  await page.goto('/parcels/EU')
  await closeGreeting(page)
  await cardOf(page, 'Poland').click()
  await details(page).getByRole('button', { name: 'Buy This Parcel' }).click()
  await expect(page.getByText('Wallet Required')).toBeVisible()
  await expect(page.getByText('Please connect your wallet to purchase land')).toBeVisible()
})

test(
  'a purchase without enough credit says what is missing and costs nothing (S-75)',
  DESKTOP_ONLY,
  async ({ page }) => {
    const poor = await createFundedPlayer(40_000)
    await playAs(page.context(), poor)
    await goToLand(page, 'EU')
    await expect(balanceOn(page)).toContainText('40,000')
    await cardOf(page, 'Poland').click()
    await details(page).getByRole('button', { name: 'Buy This Parcel' }).click()
    await expect(page.getByText('Insufficient Credits')).toBeVisible()
    await expect(
      page.getByText(
        'Not enough credits to purchase this parcel. Required: 100,000 tokens, Available: 40,000 tokens',
      ),
    ).toBeVisible()
    await expect(details(page)).toContainText('StatusAvailable')
    await details(page).getByRole('link', { name: 'Deposit $COTTON' }).click()
    await expect(page).toHaveURL(/section=deposit/)
  },
)

test('owned land shows no price and cannot be bought (S-36, S-37, S-76)', VARIANT, async ({ page }) => {
  const owner = await createFundedPlayer(300_000)
  await owner.buy('AN-04')
  await goToLand(page, 'AN')
  await closeGreeting(page)
  await cardOf(page, 'Antarctica, sector 4').click()
  await expect(page.getByText('This parcel is already owned.')).toBeVisible()
  await expect(details(page)).toContainText('StatusOwned')
  await expect(details(page).getByText('Price', { exact: true })).toHaveCount(0)
  await expect(details(page).getByRole('button', { name: 'Buy This Parcel' })).toBeHidden()

  const again = await owner.call('POST', '/api/parcels/purchase', {
    parcelId: 'AN-04',
    walletAddress: owner.address,
  })
  expect(again).toMatchObject({ status: 409, body: { code: 'parcel_owned' } })
})

test('a parcel sold while its details are open cannot be bought', VARIANT, async ({ page }) => {
  const [quick, slow] = await Promise.all([createFundedPlayer(300_000), createFundedPlayer(0)])
  await playAs(page.context(), slow)
  await goToLand(page, 'AN')
  await cardOf(page, 'Antarctica, sector 5').click()
  await expect(details(page).getByRole('button', { name: 'Buy This Parcel' })).toBeFocused()
  await quick.buy('AN-05')
  await expect(details(page)).toContainText('StatusOwned')
  await expect(details(page).getByRole('button', { name: 'Buy This Parcel' })).toBeHidden()
  await expect(details(page).getByRole('button', { name: 'Close' }).last()).toBeFocused()
})

test(
  'a purchase at an outdated price charges nothing and shows the new price (S-103, X-07)',
  DESKTOP_ONLY,
  async ({ page }) => {
    const [ana, bob] = await Promise.all([createFundedPlayer(500_000), createFundedPlayer(500_000)])
    await page.routeWebSocket('**/ws', (socket) => socket.close())
    await playAs(page.context(), ana)
    await goToLand(page, 'AS')
    const card = page.getByRole('region', { name: /^(Countries|Sectors)/ }).locator('[data-parcel="AS-TR"]')
    await expect(card).toContainText(/T.rk/)

    // From now on the page receives no changes.
    await page.route('**/api/continent-stats', (route) => route.abort())
    await expect(page.getByText('Cannot reach the game.')).toBeVisible()
    await card.click()
    const shown = await details(page).locator('output').textContent()
    await bob.buy('AS-NP')
    await details(page).getByRole('button', { name: 'Buy This Parcel' }).click()
    await expect(page.getByText('Purchase Failed')).toBeVisible()
    await expect(
      page.getByText(/The price has moved to [\d,]+ \$COTTON\. Nothing was charged\./),
    ).toBeVisible()

    await page.unroute('**/api/continent-stats')
    await expect(details(page).locator('output')).not.toHaveText(shown!)
    await expect(details(page)).toContainText('StatusAvailable')
    expect((await ana.call('GET', `/api/users/wallet/${ana.address}`)).body.creditBalance).toBe(500_000)
  },
)

test(
  'without a socket the page polls every second, and then returns to the socket (S-98, A-29)',
  DESKTOP_ONLY,
  async ({ page }) => {
    let cut = false
    let wire: WebSocketRoute | undefined
    await page.routeWebSocket('**/ws', (socket) => {
      if (cut) {
        void socket.close()
        return
      }
      wire = socket
      socket.connectToServer()
    })
    let requestTimes: number[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/continent-stats')) requestTimes.push(Date.now())
    })

    const buyer = await createFundedPlayer(500_000)
    await goToLand(page, 'OC')
    await closeGreeting(page)
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await settle(page)
    requestTimes = []
    await page.waitForTimeout(2_500)
    expect(requestTimes).toEqual([])

    cut = true
    await wire!.close()
    await expect(page.getByText('Reconnecting…', { exact: true })).toBeVisible()
    await buyer.buy('OC-TO')
    await expect(cardOf(page, 'Tonga')).toContainText('Owned')
    await expect.poll(() => requestTimes.length).toBeGreaterThanOrEqual(4)
    const gaps = requestTimes.slice(1).map((at, index) => at - requestTimes[index]!)
    expect(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length).toBeGreaterThan(900)
    // A busy machine polls later, but sooner than after the three seconds of a failed read.
    expect(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length).toBeLessThan(2_500)

    cut = false
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    requestTimes = []
    await buyer.buy('OC-PW')
    await expect(cardOf(page, 'Palau')).toContainText('Owned')
    expect(requestTimes.length).toBeLessThanOrEqual(1)
  },
)

test(
  'the page says offline without a connection, and updates resume with it (X-10)',
  VARIANT,
  async ({ page, context, complaints }) => {
    await goToLand(page, 'EU')
    await closeGreeting(page)
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await context.setOffline(true)
    await expect(page.getByText('You are offline. You may be seeing old data.')).toBeVisible()
    await expect(page.getByRole('region', { name: /^(Countries|Sectors)/ })).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    ignoreOfflineErrors(complaints)
  },
)

test(
  'samples are labelled, cannot be bought, and disappear with the next response (S-108, A-11)',
  VARIANT,
  async ({ page }) => {
    const player = await createFundedPlayer(200_000)
    await playAs(page.context(), player)
    let broken = true
    for (const path of ['**/api/continent-stats', '**/api/parcels?*'])
      await page.route(path, (route) => (broken ? route.abort() : route.continue()))
    await page.goto('/parcels/EU')
    const note = page.getByRole('alert').getByText('Sample data – not live')
    await expect(note).toBeVisible()
    await expectAccessible(page)
    const free = page
      .getByRole('region', { name: /^(Countries|Sectors)/ })
      .getByRole('button', { name: /Available/ })
    await free.first().click()
    await expect(details(page).getByText('Sample data – not live')).toBeVisible()
    await expect(details(page).getByRole('button', { name: 'Buy This Parcel' })).toBeDisabled()
    await page.keyboard.press('Escape')
    broken = false
    await page
      .getByRole('button', { name: 'Try again' })
      .click({ timeout: 2_000 })
      .catch(() => undefined)
    await expect(note).toBeHidden()
    await free.first().click()
    await expect(details(page).getByRole('button', { name: 'Buy This Parcel' })).toBeEnabled()
  },
)

test('search finds land by its name', VARIANT, async ({ page }) => {
  await goToLand(page, 'EU')
  await closeGreeting(page)
  const cards = page.getByRole('region', { name: /^(Countries|Sectors)/ }).getByRole('button')
  await page.getByRole('searchbox', { name: 'Find a country' }).fill('gibral')
  await expect(cards).toHaveCount(1)
  await expect(cards).toContainText('Gibraltar')
  await page.getByRole('searchbox').fill('atlantis')
  await expect(page.getByText('No country matches that name.')).toBeVisible()
})

test('land can be bought on the map with the keyboard alone (N-07)', DESKTOP_ONLY, async ({ page }) => {
  const player = await createFundedPlayer(300_000)
  await playAs(page.context(), player)
  await goToLand(page, 'SA')
  await page.getByRole('navigation', { name: 'Continents' }).getByRole('link').last().focus()
  await page.keyboard.press('Tab')
  const first = page.locator('[data-land="SA-BR"]')
  await expect(first).toBeFocused()
  await expect(first).toHaveAccessibleName(/^Brazil, tier 1, available, [\d,]+ tokens$/)
  await page.keyboard.press('ArrowDown')
  await expect(first).not.toBeFocused()
  const chosen = page.locator('[data-land]:focus')
  const id = await chosen.getAttribute('data-land')
  await page.keyboard.press('Enter')
  await expect(details(page).getByRole('button', { name: 'Buy This Parcel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Purchase Complete')).toBeVisible()
  await expect(details(page).getByRole('button', { name: 'Close' }).last()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(details(page)).toBeHidden()
  await expect(page.locator(`[data-land="${id}"]`)).toBeFocused()
  await expect(page.locator(`[data-land="${id}"]`)).toHaveAccessibleName(/, yours$/)
})
