import type { Page } from '@playwright/test'
import { WORKER_TYPES, WORKERS } from '#game/workers.ts'
import { delayResponses, playWithBalance } from './delay-responses.ts'
import { createFundedPlayer } from './funded-player.ts'
import { expectToastToStay, installClock } from './page-clock.ts'
import { expect, waitForRender, DESKTOP_ONLY, test, VARIANT } from './browser-test.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const buy = (page: Page, name: string) =>
  card(page, name).getByRole('button', { name: /^(BUY|PURCHASING\.\.\.)$/ })
const PURCHASE = '**/api/workers/purchase'
const BALANCE = '**/api/users/wallet/*'

const kindOf = (name: string, price: number, generationRate: number, available = 7) => ({
  workerType: name.toLowerCase(),
  name,
  maxSupply: 100,
  sold: 100 - available,
  available,
  progress: 100 - available,
  price,
  generationRate,
  image: '',
})

test('four cards in order show cost, harvest and supply (S-44, S-49)', DESKTOP_ONLY, async ({ page }) => {
  await playWithBalance(page, 0)
  await page.goto('/buy-pickers')
  await expect(page.getByRole('region', { name: 'Pickers' }).getByRole('heading')).toHaveText(
    WORKER_TYPES.map((type) => WORKERS[type].name),
  )
  const facts = {
    Kid: ['50,000', '5,000'],
    Grandma: ['100,000', '13,000'],
    Grandad: ['250,000', '40,000'],
    BigMan: ['500,000', '100,000'],
  }
  for (const [name, [costs, collects]] of Object.entries(facts)) {
    await expect(card(page, name)).toContainText(`Costs${costs}`)
    await expect(card(page, name)).toContainText(`Collectsper hour${collects}`)
    await expect(card(page, name)).toContainText(/Available[\d,]+/)
    await expect(buy(page, name)).toHaveText('BUY')
  }
})

const bought = (newBalance: number) => ({
  success: true,
  worker: { workerId: 'kid-0042', workerType: 'kid' },
  message: '',
  newBalance,
})

test(
  'the button shows a purchase in progress and ignores a second click (S-44, S-69, S-71, S-89, S-107)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await installClock(page)
    const { address } = await playWithBalance(page, 120_000)
    await page.route(PURCHASE, (route) => route.fulfill({ json: bought(70_000) }))
    const delayed = await delayResponses(page, PURCHASE)
    await page.goto('/buy-pickers')
    await expect(page.getByText('You need 380,000 more')).toBeVisible()
    const sent = page.waitForRequest(PURCHASE)
    await buy(page, 'Kid').click()
    expect((await sent).postDataJSON()).toEqual({ workerType: 'kid', walletAddress: address })
    await expect(buy(page, 'Kid')).toHaveText('PURCHASING...')
    await buy(page, 'Kid').click()
    await buy(page, 'Kid').press('Enter')
    const when = async () => delayed.release()
    await expectToastToStay(page, { text: 'Successfully purchased kid-0042!', ms: 3_000, when })
    await expect(buy(page, 'Kid')).toHaveText('BUY')
    expect(delayed.callCount).toBe(1)
    await expect(page.getByText('You need 430,000 more')).toBeVisible()
    // Another player logs in in another tab, and logs out: what the first one has hired is nothing to them.
    const seeOnFarm = card(page, 'Kid').getByRole('link', { name: 'See Kid on your farm' })
    await expect(seeOnFarm).toBeVisible()
    const other = await createFundedPlayer(0)
    await page.evaluate(
      ({ token, address }) => {
        localStorage.setItem('token', token)
        localStorage.setItem('walletAddress', address)
        dispatchEvent(new StorageEvent('storage', { key: 'token' }))
      },
      { token: other.token, address: other.address },
    )
    await expect(seeOnFarm).toHaveCount(0)
    await page.evaluate(() => {
      localStorage.removeItem('token')
      dispatchEvent(new StorageEvent('storage', { key: 'token' }))
    })
    await expect(card(page, 'Kid').getByText('Connect a wallet to hire')).toBeVisible()
  },
)

test(
  'a balance that was read before a purchase never replaces the one after it',
  VARIANT,
  async ({ page }) => {
    await page.clock.install()
    await playWithBalance(page, 120_000)
    await page.route(PURCHASE, (route) => route.fulfill({ json: bought(70_000) }))
    await page.goto('/buy-pickers')
    await expect(page.getByText('You need 380,000 more')).toBeVisible()
    const delayed = await delayResponses(page, BALANCE)
    await page.clock.fastForward(15_000)
    await expect.poll(() => delayed.callCount).toBeGreaterThan(0)
    await buy(page, 'Kid').click()
    await expect(page.getByText('You need 430,000 more')).toBeVisible()
    const late = page.waitForResponse(BALANCE)
    delayed.release()
    await (await late).finished()
    await waitForRender(page)
    await expect(page.getByText('You need 430,000 more')).toBeVisible()
  },
)

test(
  'an alert says why a picker cannot be bought (S-21, S-22, S-77, S-103)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await playWithBalance(page, 300_000)
    const kinds = [
      kindOf('Kid', 50_000, 5_000),
      kindOf('Grandma', 100_000, 13_000),
      kindOf('Grandad', 250_000, 40_000, 0),
      kindOf('BigMan', 500_000, 100_000),
    ]
    const workerTypes = Object.fromEntries(kinds.map((kind) => [kind.workerType, kind]))
    await page.route('**/api/workers/types', (route) =>
      route.fulfill({ json: { success: true, workerTypes } }),
    )
    await page.goto('/buy-pickers')
    await expect(page.getByText('You need 200,000 more')).toBeVisible()
    const alert = page.getByRole('alertdialog')
    const refused = async (name: string, sentence: string) => {
      await buy(page, name).click()
      await expect(alert).toHaveAccessibleName(sentence)
      await alert.getByRole('button', { name: 'OK' }).click()
      await expect(alert).toBeHidden()
    }
    await buy(page, 'BigMan').click()
    await expect(alert.getByRole('link', { name: 'Deposit $COTTON' })).toBeVisible()
    await alert.getByRole('button', { name: 'OK' }).click()
    await refused('BigMan', 'Not enough $COTTON tokens. Required: 500,000, Available: 300,000')
    await expect(card(page, 'Grandad')).toContainText('Sold out')
    await refused('Grandad', 'No more Grandad workers available for purchase')
    await page.route(PURCHASE, (route) => route.abort())
    await refused(
      'Kid',
      'Purchase failed. Please try again. It may have gone through. Trying again within a minute is safe: it counts only once, unless you reload the page.',
    )
    await page.route(PURCHASE, (route) =>
      route.fulfill({
        status: 409,
        json: { success: false, code: 'sold_out', message: 'Somebody was quicker.' },
      }),
    )
    await refused('Kid', 'Somebody was quicker.')

    await page.route(PURCHASE, (route) => route.fulfill({ json: bought(250_000) }))
    const delayed = await delayResponses(page, PURCHASE)
    await page.getByRole('button', { name: 'View Kid' }).click()
    const near = page.getByRole('dialog', { name: 'Kid' })
    await expect(near).toContainText('Supply93 / 100')
    await expect(near.getByRole('progressbar', { name: 'Kid: share sold' })).toHaveAttribute('value', '93')
    await expect(near.locator('img').first()).toBeVisible()
    await near.getByRole('button', { name: 'Purchase for 50,000 $COTTON' }).click()
    await expect(near.getByRole('button', { name: 'Purchasing...' })).toHaveAttribute('aria-busy', 'true')
    delayed.release()
    await expect(near.getByRole('button', { name: 'Purchase for 50,000 $COTTON' })).toBeVisible()
    await expect(near.getByText('Kid joined your farm!')).toBeVisible()
    await expect(near.getByText('Successfully purchased kid-0042!')).toBeVisible()
    await expect(near.getByRole('link', { name: 'See Kid on your farm' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'View BigMan' }).click()
    await expect(page.getByRole('button', { name: 'Not Enough $COTTON' })).toBeDisabled()
  },
)
