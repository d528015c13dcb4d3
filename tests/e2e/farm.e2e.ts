import type { Page } from '@playwright/test'
import { WORKER_TYPES, WORKERS } from '#game/workers.ts'
import { createFundedPlayer, playAs } from './funded-player.ts'
import { delayResponses, playWithBalance, buildWorkerReply } from './delay-responses.ts'
import { expectToastToStay, pauseClock, installClock } from './page-clock.ts'
import { expect, settle, DESKTOP_ONLY, test, VARIANT } from './browser-test.ts'

const OWNED = '**/api/workers/owned'
const CLAIM = '**/api/workers/claim'
const CLAIM_ALL = '**/api/workers/claim-all'

const field = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const claimable = (page: Page, name: string) => field(page, name).locator('b').first()

const kid = (n: number, total: number, claimed = 0) =>
  buildWorkerReply({ workerId: `kid-000${n}`, workerType: 'kid', total, claimed, rate: 5_000 })
const bigman = (total: number) =>
  buildWorkerReply({ workerId: 'bigman-0001', workerType: 'bigman', total, claimed: 0, rate: 100_000 })

/** From now on the server responds with this farm, as a bare list, which is also valid (S-88). */
async function stubFarm(page: Page, workers: readonly object[]): Promise<void> {
  await page.unroute(OWNED)
  await page.route(OWNED, (route) =>
    route.fulfill({
      json: workers.map((worker) => ({ ...worker, lastTokenUpdate: new Date().toISOString() })),
    }),
  )
}

test(
  'four fields in order show what is owned and claimable, every second (S-45, S-49, S-79, S-99)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await installClock(page)
    await playWithBalance(page, 0)
    await stubFarm(page, [kid(1, 1_200.9), kid(2, 34.5), bigman(20.5)])
    await page.goto('/myfarm')
    await expect(page.getByRole('article').getByRole('heading')).toHaveText(
      WORKER_TYPES.map((type) => WORKERS[type].name),
    )
    await expect(field(page, 'Kid')).toContainText('× 2')
    await expect(field(page, 'Kid')).toContainText(/Claimable1,2\d\d/)
    await expect(field(page, 'Grandma')).toContainText('× 0')
    await expect(field(page, 'Grandma').getByRole('button', { name: 'NO CLAIM' })).toBeDisabled()
    await expect(field(page, 'BigMan').getByRole('button', { name: 'CLAIM', exact: true })).toBeEnabled()

    await settle(page)
    await pauseClock(page)
    await page.clock.runFor(1_000)
    const shown = async () => Number((await claimable(page, 'BigMan').textContent())!.replaceAll(',', ''))
    const before = await shown()
    await page.clock.runFor(900)
    const [early, late] = [await shown(), await page.clock.runFor(2_100).then(shown)]
    expect([0, 27, 28]).toContain(early - before)
    expect(Math.abs(late - before - 83)).toBeLessThanOrEqual(1)
  },
)

test(
  'a claim shows its progress, its amount, and the reason if it fails (S-45, S-69, S-105, S-107, A-27)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await installClock(page)
    await playWithBalance(page, 0)
    await stubFarm(page, [kid(1, 100), bigman(5_000)])
    const answers = (claimedWorkers: number) =>
      page.route(CLAIM_ALL, (route) =>
        route.fulfill({
          json: { success: true, claimedAmount: 1_234.75, claimedWorkers, newBalance: 1_234.75 },
        }),
      )
    await answers(1)
    const delayed = await delayResponses(page, CLAIM_ALL)
    await page.goto('/myfarm')
    const button = field(page, 'BigMan').getByRole('button')
    await button.click()
    await expect(button).toHaveText('CLAIMING')
    await expect(claimable(page, 'BigMan')).toHaveText('CLAIMING')
    await expect(field(page, 'Kid').getByRole('button')).toHaveText('CLAIM')
    await button.click()
    await button.press('Enter')
    await stubFarm(page, [kid(1, 100), kid(2, 100), bigman(0)])
    const when = async () => delayed.release()
    await expectToastToStay(page, { text: 'Claimed 1,234 $COTTON tokens!', ms: 3_000, when })
    await expect(button).toHaveText(/CLAIM$/)
    expect(delayed.callCount).toBe(1)

    await answers(2)
    await field(page, 'Kid').getByRole('button').click()
    await expect(page.getByText('Successfully claimed tokens from all kid workers!')).toBeVisible()
    await page.route(CLAIM_ALL, (route) => route.abort())
    await field(page, 'Kid').getByRole('button').click()
    await expect(page.getByText('Error claiming tokens: Failed to claim tokens')).toBeVisible()
    await page.route(CLAIM_ALL, (route) =>
      route.fulfill({ status: 503, json: { success: false, code: 'busy', message: 'The game is busy.' } }),
    )
    await field(page, 'Kid').getByRole('button').click()
    await expect(page.getByText('Error claiming tokens: The game is busy.')).toBeVisible()
  },
)

test(
  'everything is claimed with one button, and a field also by its bubble and its picker (S-107)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await playWithBalance(page, 0)
    await stubFarm(page, [kid(1, 100), bigman(5_000)])
    const bodies: unknown[] = []
    await page.route(CLAIM_ALL, (route) => {
      bodies.push(route.request().postDataJSON())
      return route.fulfill({
        json: { success: true, claimedAmount: 5_100, claimedWorkers: 2, newBalance: 5_100 },
      })
    })
    const delayed = await delayResponses(page, CLAIM_ALL)
    await page.goto('/myfarm')
    const totals = page.getByRole('list', { name: 'Totals' })
    const claimAll = totals.getByRole('button')
    await claimAll.click()
    await expect(claimAll).toHaveText('Claiming…')
    for (const name of ['Kid', 'BigMan'])
      await expect(field(page, name).getByRole('button')).toHaveText('CLAIMING')
    await claimAll.press('Enter')
    delayed.release()
    await expect(page.getByText('Claimed 5,100 $COTTON tokens!')).toBeVisible()
    await expect(page.getByText('Every field is claimed.')).toBeVisible()
    await expect(claimAll).toHaveText('Claim all')
    expect(bodies).toEqual([{}])

    for (const name of ['Kid', 'BigMan']) {
      await expect(field(page, name).getByRole('button')).toHaveText('CLAIM')
      await expect(field(page, name).getByRole('button')).toBeEnabled()
    }
    await field(page, 'Kid').getByText('Claimable').click({ force: true })
    await expect.poll(() => bodies[1]).toEqual({ workerType: 'kid' })
    await field(page, 'BigMan').locator('img[width="320"]').click({ force: true })
    await expect.poll(() => bodies[2]).toEqual({ workerType: 'bigman' })
    await expect(page.getByRole('button', { name: 'CLAIM', exact: true })).toHaveCount(2)

    await page.route(CLAIM_ALL, (route) =>
      route.fulfill({ status: 503, json: { success: false, code: 'busy', message: 'The game is busy.' } }),
    )
    await claimAll.click()
    await expect(page.getByText('Error claiming tokens: The game is busy.')).toBeVisible()
    await stubFarm(page, [kid(1, 0)])
    await page.reload()
    await page.getByRole('link', { name: 'All my pickers' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Cotton Workers' })).toBeVisible()
  },
)

test(
  'a field without pickers leads to the picker, and says what is missing or that none is left (S-45)',
  VARIANT,
  async ({ page }) => {
    await playWithBalance(page, 100_000)
    await stubFarm(page, [kid(1, 100)])
    await page.route('**/api/workers/types', async (route) => {
      const answer = await route.fetch()
      const json = await answer.json()
      Object.assign(json.workerTypes.bigman, { available: 0, sold: json.workerTypes.bigman.maxSupply })
      await route.fulfill({ response: answer, json })
    })
    await page.goto('/myfarm')
    await expect(field(page, 'BigMan')).toContainText('All hired. None left.')
    await expect(field(page, 'BigMan').getByRole('link')).toHaveCount(0)
    await expect(field(page, 'Grandad')).toContainText('Needs 150,000 more')
    await field(page, 'Grandma').getByRole('link', { name: 'Hire Grandma 100,000' }).press('Enter')
    await expect(
      page.getByRole('region', { name: 'Grandma' }).getByRole('button', { name: 'BUY' }),
    ).toBeFocused()
  },
)

test('an image that fails to load is replaced (S-46)', DESKTOP_ONLY, async ({ page }) => {
  await playWithBalance(page, 0)
  await stubFarm(page, [kid(1, 100)])
  await page.route(/\/assets\/kid[^/]*\.(webp|svg|png|avif)$/, (route) => route.abort())
  await page.goto('/myfarm')
  const figure = field(page, 'Kid').locator('img[width="320"]')
  await expect(figure).toHaveAttribute('src', /scarecrow/)
  await expect
    .poll(() => figure.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
})

test(
  'workers load, show what they generated, and can be claimed (S-04, S-47, S-48, S-79, S-88, S-90, S-105, S-107)',
  DESKTOP_ONLY,
  async ({ page }) => {
    await playWithBalance(page, 0)
    await stubFarm(page, [kid(7, 1_200.9, 200.9), kid(8, 10, 1_000)])
    const delayed = await delayResponses(page, OWNED)
    await page.goto('/owned-workers')
    await expect(page.getByText('Purchase workers to generate $COTTON tokens automatically')).toBeVisible()
    await expect(page.getByText('Loading workers...')).toBeVisible()
    delayed.release()
    await expect(page.getByRole('heading', { level: 2, name: 'Your Workers' })).toBeVisible()
    const card = (id: string) => page.getByRole('region', { name: id })
    await expect(card('kid-0007')).toContainText('Kid')
    await expect(card('kid-0007')).toContainText(/Generated1,2\d\d/)
    await expect(card('kid-0007')).toContainText(/Available to Claim1,0\d\d/)
    await expect(card('kid-0008')).toContainText('Available to Claim0')
    await expect(card('kid-0008').getByRole('button', { name: 'Claim Tokens' })).toBeDisabled()

    const claim = card('kid-0007').getByRole('button', { name: 'Claim Tokens' })
    await page.route(CLAIM, (route) => route.abort())
    await claim.click()
    await expect(page.getByText('Failed to claim tokens')).toBeVisible()
    await page.route(CLAIM, (route) =>
      route.fulfill({ status: 409, json: { success: false, code: 'x', message: 'Not today.' } }),
    )
    await claim.click()
    await expect(page.getByText('Not today.')).toBeVisible()
    await page.route(CLAIM, (route) =>
      route.fulfill({ json: { success: true, claimedAmount: 1_000, newBalance: 1_000 } }),
    )
    const sent = page.waitForRequest(CLAIM)
    await claim.click()
    expect((await sent).postDataJSON()).toEqual({ workerId: 'kid-0007' })
    await expect(page.getByText('Claimed 1,000 $COTTON tokens!')).toBeVisible()
  },
)

test(
  'a failure to load workers is logged, and the page can retry (S-04, S-102)',
  DESKTOP_ONLY,
  async ({ page }) => {
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await playWithBalance(page, 0)
    await page.route(OWNED, (route) => route.abort())
    await page.goto('/workers')
    await expect(page.getByText('Failed to load worker data')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(page.getByText('Failed to fetch owned workers')).toBeHidden()
    expect(logged.some((line) => line.startsWith('Failed to fetch owned workers'))).toBe(true)
    await stubFarm(page, [kid(7, 10)])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('region', { name: 'kid-0007' })).toBeVisible()
  },
)

test('a visitor must connect a wallet before a claim (S-79)', DESKTOP_ONLY, async ({ page }) => {
  for (const path of ['/myfarm', '/workers']) {
    await page.goto(path)
    await expect(page.getByText('Please connect your wallet first')).toBeVisible()
  }
})

test('a farm that fails to load reserves no space for the first steps', VARIANT, async ({ page }) => {
  await playAs(page.context(), await createFundedPlayer(0))
  await page.route(OWNED, (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/myfarm')
  await expect(page.getByText('Failed to load worker data')).toBeVisible()
  const place = page.locator('.first-steps')
  await expect.poll(() => place.evaluate((each) => each.getBoundingClientRect().height)).toBe(0)
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'First steps' })).toBeVisible()
})
