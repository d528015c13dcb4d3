import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import { readLayoutShift, watchLayoutShifts } from './measure-first-load.ts'
import { playAs, type Player } from './funded-player.ts'
import { buildWorkerReply } from './delay-responses.ts'
import { readListingId, createPlayer, createSeller, shareMarket, test } from './open-market.ts'
import { installClock } from './page-clock.ts'
import {
  closeGreeting,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  isPhone,
  settle,
  VARIANT,
  DESKTOP_FIRST,
} from './browser-test.ts'

shareMarket()

const HOUR_MS = 3_600_000

// For the first attempt and its retry. The first land of a continent costs 100,000, and a seller has 50,000 left for a picker.
const DESKTOP_LANDS = [
  ['EU-IS', 'Iceland'],
  ['OC-FJ', 'Fiji'],
] as const
const PHONE_LANDS = [
  ['AS-JP', 'Japan'],
  ['AN-TF', 'French Southern Territories'],
] as const

const summary = (page: Page): Locator => page.getByRole('region', { name: 'While you were away' })
const summaryLine = (page: Page, label: string): Locator =>
  summary(page).getByRole('listitem').filter({ hasText: label })

/** Sets the time at which this browser last showed the game to the player. */
async function setLastSeen(page: Page, { address }: Player, agoMs: number): Promise<void> {
  await page.evaluate(([wallet, ago]) => localStorage.setItem('lastSeen', `${wallet} ${Date.now() - ago}`), [
    address,
    agoMs,
  ] as const)
}

/** Expects no summary once the page has decided: by then it has recorded the player's visit. */
async function expectNoSummary(page: Page): Promise<void> {
  const lastSeenMs = () =>
    page.evaluate(() => Date.now() - Number(localStorage.getItem('lastSeen')?.split(' ')[1]))
  await expect.poll(lastSeenMs).toBeLessThan(60_000)
  await expectNoneShown(page)
}

async function expectNoneShown(page: Page): Promise<void> {
  await settle(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(summary(page)).toBeHidden()
}

/** A player who has hired a kid and claimed once. */
async function withPicker(who: Player): Promise<Player> {
  const { address: walletAddress } = who
  const hired = await who.call('POST', '/api/workers/purchase', { workerType: 'kid', walletAddress })
  expect(hired.status).toBe(200)
  await expect.poll(async () => (await who.call('POST', '/api/workers/claim-all', {})).status).toBe(200)
  return who
}

test(
  'a returning player sees once what is ready and what happened, and can keep playing (X-27)',
  DESKTOP_FIRST,
  async ({ page, context }) => {
    const [parcelId, country] = (isPhone(page) ? PHONE_LANDS : DESKTOP_LANDS)[test.info().retry]!
    const seller = await withPicker(await createSeller(parcelId, 100_000))
    const buyer = await createPlayer(120_000)
    const sale = { listingId: await readListingId(seller), walletAddress: buyer.address }
    await playAs(context, seller)
    await page.goto('/myfarm')
    await expectNoSummary(page)
    expect((await buyer.call('POST', '/api/marketplace/purchase', sale)).status).toBe(200)
    await setLastSeen(page, seller, 2 * HOUR_MS)
    await page.addInitScript(watchLayoutShifts)
    await page.reload()

    await expect(summaryLine(page, 'Land sold')).toContainText(country)
    await expect(summaryLine(page, 'Land sold')).toContainText('+90,000')
    await expect(summaryLine(page, 'Deposit credited')).toContainText('+150,000')
    const ready = summaryLine(page, 'Ready to claim')
    await expect(ready).toContainText('Your picker kept working.')
    // The figure equals that of the farm at every tick.
    const both = await page.evaluate(() => {
      const figureOf = (text: string) => /Ready to claim\D*([\d,]+)/.exec(text)?.[1]
      const card = document.querySelector('[aria-labelledby="while-away-title"]')!
      return [figureOf(card.textContent!), figureOf(document.querySelector('main')!.textContent!)]
    })
    expect(both[0]).toMatch(/^\d+$/)
    expect(both[0]).toBe(both[1])
    await expect(
      page.getByRole('status').filter({ hasText: new RegExp(`^While you were away, since .*${country}`) }),
    ).toHaveCount(1)
    expect(await readLayoutShift(page)).toBeLessThan(0.05)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    // A phone held sideways, below the bar of its browser.
    const size = page.viewportSize()!
    await page.setViewportSize({ width: 844, height: 340 })
    for (const name of ['Claim all', 'Close the summary'])
      await expect(summary(page).getByRole('button', { name })).toBeInViewport({ ratio: 1 })
    // A large window at 400 %.
    await page.setViewportSize({ width: 320, height: 200 })
    const claim = summary(page).getByRole('button', { name: 'Claim all' })
    await claim.scrollIntoViewIfNeeded()
    await expect(claim).toBeInViewport({ ratio: 1 })
    await page.setViewportSize(size)

    const other = await context.newPage()
    await other.goto('/myfarm')
    await expectNoSummary(other)
    await other.close()
    await summary(page).getByRole('button', { name: 'Close the summary' }).focus()
    await page.keyboard.press('Escape')
    await expect(summary(page)).toBeHidden()
    await expect(page.locator('#main')).toBeFocused()
    await page.reload()
    await expectNoSummary(page)
  },
)

test('of two windows that open at once, one shows the summary', VARIANT, async ({ page, context }) => {
  const seller = await withPicker(await createPlayer(50_000))
  await playAs(context, seller)
  await page.goto('/myfarm')
  const other = await context.newPage()
  await other.goto('/terms')
  // The response is slow enough that without the lock both windows would call.
  await context.route('**/api/users/last-seen', async (route) => {
    await sleep(3_000)
    await route.continue()
  })
  await setLastSeen(page, seller, 2 * HOUR_MS)
  await Promise.all([page.reload(), other.reload()])
  const countSummaries = async () => [await summary(page).count(), await summary(other).count()].toSorted()
  await expect.poll(countSummaries).toEqual([0, 1])
  await Promise.all([page, other].map((each) => settle(each)))
  expect(await countSummaries()).toEqual([0, 1])
})

test(
  'a new player, one who left within the hour, and one without changes see no summary',
  VARIANT,
  async ({ page, context }) => {
    await page.goto('/myfarm')
    await closeGreeting(page)
    await expectNoneShown(page)
    const newcomer = await createPlayer(0)
    await playAs(context, newcomer)
    await page.reload()
    await expectNoSummary(page)
    await setLastSeen(page, newcomer, HOUR_MS - 60_000)
    await page.reload()
    await expectNoSummary(page)
    await setLastSeen(page, newcomer, 30 * HOUR_MS)
    await page.reload()
    await expectNoSummary(page)
  },
)

test('a summary seen on another device is not shown again', VARIANT, async ({ page, context }) => {
  const farmer = await withPicker(await createPlayer(50_000))
  await playAs(context, farmer)
  const ago = (ms: number) => new Date(Date.now() - ms)
  let elsewhereAt = ago(HOUR_MS / 2)
  await page.route('**/api/users/last-seen', (route) =>
    route.fulfill({
      json: { success: true, elsewhereAt: elsewhereAt.toISOString() },
    }),
  )
  await page.goto('/terms')
  await setLastSeen(page, farmer, 5 * HOUR_MS)
  await page.reload()
  await expectNoSummary(page)

  // The player has been away again since then.
  elsewhereAt = ago(2 * HOUR_MS)
  await setLastSeen(page, farmer, 5 * HOUR_MS)
  await page.reload()
  const clock = elsewhereAt.toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  })
  await expect(summary(page)).toContainText(clock)
  await summary(page)
    .getByRole('button', { name: /^Claim/ })
    .press('Enter')
  await expect(summary(page)).toBeHidden()
  await expect(page.locator('#main')).toBeFocused()
})

test('a summary that failed to load is shown once the server answers', VARIANT, async ({ page, context }) => {
  const farmer = await withPicker(await createPlayer(50_000))
  await playAs(context, farmer)
  await page.goto('/terms')
  await setLastSeen(page, farmer, 3 * HOUR_MS)
  await page.route('**/api/users/withdrawals', (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await expectNoneShown(page)
  await page.unrouteAll({ behavior: 'wait' })
  await page.goto('/buy-pickers')
  await expect(summaryLine(page, 'Ready to claim')).toBeVisible()
  await summary(page).getByRole('link', { name: 'Go to my fields' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Farm' })).toBeVisible()
  // The summary disappears once its tokens are claimed.
  await page.getByRole('button', { name: 'CLAIM', exact: true }).click()
  await expect(page.getByText('Successfully claimed tokens from all kid workers!')).toBeVisible()
  await expect(summary(page)).toBeHidden()
})

test('a summary stays when the pickers can be read only later', VARIANT, async ({ page, context }) => {
  const farmer = await withPicker(await createPlayer(50_000))
  await playAs(context, farmer)
  await page.goto('/terms')
  await setLastSeen(page, farmer, 3 * HOUR_MS)
  const refusal = { success: false, code: 'malformed', message: 'No.' }
  await page.route('**/api/workers/owned*', (route) => route.fulfill({ status: 400, json: refusal }))
  await page.reload()
  const deposit = summaryLine(page, 'Deposit credited')
  await expect(deposit).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('navigation', { name: 'Game' }).getByRole('link', { name: 'My Farm' }).press('Enter')
  await expect(summaryLine(page, 'Ready to claim')).toBeVisible()
  await expect(deposit).toBeVisible()
})

test(
  'a page that was suspended for hours shows the summary when it resumes',
  VARIANT,
  async ({ page, context }) => {
    await installClock(page)
    await playAs(context, await createPlayer(0))
    const kid = buildWorkerReply({
      workerId: 'kid-0001',
      workerType: 'kid',
      total: 5_000,
      claimed: 100,
      rate: 5_000,
    })
    await page.route('**/api/workers/owned', (route) =>
      route.fulfill({ json: [{ ...kid, lastTokenUpdate: new Date().toISOString() }] }),
    )
    await page.goto('/terms')
    await expectNoSummary(page)
    await page.clock.fastForward(5 * HOUR_MS)
    await expect(summaryLine(page, 'Ready to claim')).toContainText('4,9')
  },
)
