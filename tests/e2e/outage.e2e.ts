import { createFundedPlayer, playAs } from './funded-player.ts'
import {
  closeGreeting,
  DESKTOP_ONLY,
  expect,
  expectAccessible,
  expectHydrated,
  ignoreOfflineErrors,
  test,
  VARIANT,
} from './browser-test.ts'
import { playWithResponses, RESPONSES } from './response-fixtures.ts'

test(
  'an action pressed offline is refused at once, and is never sent later',
  VARIANT,
  async ({ page, context, complaints }) => {
    const player = await createFundedPlayer(60_000)
    await playAs(context, player)
    await page.goto('/buy-pickers')
    const kid = page.getByRole('region', { name: 'Kid', exact: true })
    await expect(kid).toContainText(/Available[\d,]+/)
    await expectHydrated(page)

    await context.setOffline(true)
    await kid.getByRole('button', { name: 'BUY' }).click()
    await expect(page.getByText('You are offline. Nothing was sent.')).toBeVisible({ timeout: 2_000 })
    await page.getByRole('alertdialog').getByRole('button').first().click()
    let sentLater = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/api/workers/purchase')) sentLater += 1
    })
    await context.setOffline(false)
    await expect(page.getByText('You are offline. You may be seeing old data.')).toBeHidden()
    // Nothing was queued for the time after the outage.
    await page.waitForResponse((answer) => answer.url().endsWith('/api/workers/types') && answer.ok())
    expect(sentLater).toBe(0)
    expect((await player.call('GET', '/api/workers/owned')).body).toMatchObject({ workers: [] })
    ignoreOfflineErrors(complaints)
  },
)

test(
  'an action that the game does not answer waits visibly and can be abandoned; pressed again, it counts once',
  DESKTOP_ONLY,
  async ({ page, context }) => {
    // Enough for two: the page may read the balance after the first before it asks again.
    const player = await createFundedPlayer(120_000)
    await playAs(context, player)
    const keys: (string | undefined)[] = []
    let silent = true
    await page.route('**/api/workers/purchase', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      // The request arrives, its response does not.
      const response = await route.fetch()
      if (!silent) await route.fulfill({ response })
    })
    await page.goto('/buy-pickers')
    const kid = page.getByRole('region', { name: 'Kid', exact: true })
    await expect(kid).toContainText(/Available[\d,]+/)
    await kid.getByRole('button', { name: 'BUY' }).click()
    const waiting = page.getByRole('status').filter({ hasText: 'Waiting for the game…' })
    await expect(waiting).toBeVisible()
    await expectAccessible(page)
    await waiting.getByRole('button', { name: 'Stop waiting' }).click()
    const alert = page.getByRole('alertdialog')
    await expect(alert).toContainText(
      'It may have gone through. Trying again within a minute is safe: it counts only once, unless you reload the page.',
    )
    await expect(waiting).toBeHidden()
    await alert.getByRole('button').first().click()

    silent = false
    await kid.getByRole('button', { name: 'BUY' }).click()
    await expect(page.getByText('Successfully purchased kid-')).toBeVisible()
    expect(keys).toHaveLength(2)
    expect(keys[1]).toBe(keys[0])
    expect((await player.call('GET', '/api/workers/owned')).body).toMatchObject({
      workers: [{ workerType: 'kid' }],
    })
  },
)

test(
  'an action that has failed frees its button and its dialog, also while the game answers no read either',
  VARIANT,
  async ({ page }) => {
    let silent = false
    const lock = { hours: 0, next: null }
    await playWithResponses(page, (name, whole) => (name === 'readWithdrawalLock' ? { lock } : whole))
    const isSilent = /\/api\/(workers\/(owned|claim-all)|users\/withdrawal-lock)$/
    await page.route(isSilent, (route) => (silent ? undefined : route.fallback()))
    const stopWaiting = () => page.getByRole('button', { name: 'Stop waiting' }).click()

    await page.goto('/myfarm')
    const claim = page.getByRole('main').getByRole('button', { name: /CLAIM/ }).first()
    await expect(claim).toBeEnabled()
    silent = true
    await claim.click()
    await expect(claim).toHaveAttribute('aria-busy', 'true')
    await stopWaiting()
    await expect(claim).not.toHaveAttribute('aria-busy', { timeout: 5_000 })

    silent = false
    await page.goto('/profile#security')
    await page.getByRole('button', { name: 'Lock withdrawals' }).click()
    silent = true
    const question = page.getByRole('alertdialog', { name: 'Lock your withdrawals?' })
    await question.getByRole('button', { name: 'Lock withdrawals' }).click()
    await stopWaiting()
    await expect(question).toHaveCount(0, { timeout: 5_000 })
  },
)

test(
  'without a socket a list of land that was behind its version is read again, once',
  VARIANT,
  async ({ page }) => {
    const [, malta, poland] = RESPONSES.readParcels!
    let lists = 0
    await playWithResponses(page)
    await page.routeWebSocket('**/ws', (socket) => socket.close())
    await page.route('**/api/parcels?regionId=EU', (route) => {
      lists += 1
      // The api that answers first has not heard of the last sale yet.
      const ownership = lists > 1 ? { owned: true, ownerWallet: poland!.ownerWallet } : {}
      return route.fulfill({ json: [{ ...malta, ...ownership }, poland] })
    })
    await page.goto('/parcels/EU')
    const card = page.getByRole('region', { name: /^Countries/ }).getByRole('button', { name: /^Malta/ })
    await expect(card).toContainText('Available')
    await expect(card).toContainText('Owned')
    for (let polls = 0; polls < 3; polls += 1) await page.waitForResponse('**/api/continent-stats')
    expect(lists).toBe(2)
  },
)

test(
  'an outage has one message; what was once read stays in sight, and samples fill in only for the rest (S-108, X-10)',
  DESKTOP_ONLY,
  async ({ page }) => {
    let isUp = true
    await page.routeWebSocket('**/ws', (socket) => socket.close())
    await page.route('**/api/**', async (route) => {
      if (!isUp) return route.abort('connectionrefused')
      if (!route.request().url().endsWith('/api/continent-stats')) return route.continue()
      // The page may have been left meanwhile, and its requests with it.
      try {
        const response = await route.fetch()
        const stats = (await response.json()) as Record<string, object>
        return await route.fulfill({
          response,
          json: { ...stats, EU: { ...stats.EU, currentPrice: 104_040 } },
        })
      } catch {
        return route.abort().catch(() => {})
      }
    })
    const banner = page.locator('output', { hasText: 'Cannot reach the game. You may be seeing old data.' })
    const samples = page.getByRole('alert').filter({ hasText: 'Sample data – not live' })
    const price = page.locator('[data-price]')

    await page.goto('/parcels')
    await closeGreeting(page)
    const europe = page.getByRole('list', { name: 'Continents' }).getByRole('link', { name: /Europe/ })
    await expect(page.locator('body')).toContainText('104,040')
    isUp = false
    await europe.click()
    await expect(samples).toContainText('Cannot reach the game.')
    await expect(price).toHaveAttribute('data-price', '104040')
    await expect(banner).toBeHidden()
    await expect(page.getByText('Offline', { exact: true })).toBeHidden()
    isUp = true
    await expect(samples).toBeHidden()

    isUp = false
    await expect(banner).toBeVisible()
    await expect(banner).toContainText(/As of \d\d:\d\d:\d\d/)
    await expect(page.getByText('Offline', { exact: true })).toBeHidden()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(price).toHaveAttribute('data-price', '104040')
    await expect(page.locator('#main')).toHaveCSS('filter', 'grayscale(0.7)')
    await expectAccessible(page)
    isUp = true
    await expect(banner).toBeHidden()
    await expect(page.locator('#main')).toHaveCSS('filter', 'none')
  },
)

test(
  'a page whose code cannot be loaded offline opens by itself when the network is back',
  VARIANT,
  async ({ page, context, complaints }) => {
    await playAs(context, await createFundedPlayer(0))
    await page.goto('/terms')
    await expectHydrated(page)
    await context.setOffline(true)
    await page.getByRole('navigation', { name: 'Game' }).getByRole('link', { name: 'Buy Pickers' }).click()
    await expect(page.getByRole('alert')).toContainText(
      'This page loads by itself when you are online again.',
    )
    await context.setOffline(false)
    await expect(page.getByRole('heading', { level: 1, name: 'Buy Pickers' })).toBeVisible()
    complaints.splice(0)
  },
)
