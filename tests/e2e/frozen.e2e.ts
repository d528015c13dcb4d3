import type { Page } from '@playwright/test'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  isPhone,
  settle,
  VARIANT_ON_BOTH,
} from './browser-test.ts'
import { playAs } from './funded-player.ts'
import { watchLayoutShifts } from './measure-first-load.ts'
import { createPlayer, createSeller, openMarket, openPage, runOps, test } from './open-market.ts'

openMarket('open')

const REASON = 'We are looking into your report of a stolen phone. Write to support@farm.example.'

const noteOn = (page: Page) => page.getByRole('status').filter({ hasText: 'Your wallet is frozen.' })

test('the player of a frozen wallet reads why on every page, and moves nothing (X-32)', async ({
  page,
  context,
}) => {
  const seller = await createSeller(isPhone(page) ? 'AF-KE' : 'AF-GH', 120_000)
  const ana = await createPlayer(200_000)
  const hire = { workerType: 'kid', walletAddress: ana.address }
  expect((await ana.call('POST', '/api/workers/purchase', hire)).status).toBe(200)
  await playAs(context, ana)
  await page.goto('/buy-pickers')
  await expect(page.getByRole('button', { name: 'BUY' }).first()).toBeEnabled()
  await expect(noteOn(page)).toBeHidden()

  // A page that does not know yet is refused with the reason.
  await page.route(`**/api/users/wallet/${ana.address}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), frozen: null } })
  })
  runOps('freeze', ana.address, '--reason', REASON)
  runOps('freeze', seller.address, '--reason', REASON)
  await page.getByRole('button', { name: 'BUY' }).first().click()
  await expect(page.getByText(`The operator gives this reason: ${REASON}`).first()).toBeVisible()
  expect((await ana.call('POST', '/api/workers/purchase', hire)).body.code).toBe('wallet_frozen')
  await page.unrouteAll({ behavior: 'wait' })

  for (const path of ['/', '/myfarm', '/marketplace', '/profile', '/buy-pickers']) {
    await page.goto(path)
    await expect(noteOn(page)).toContainText(REASON)
    await expectNoSidewaysScroll(page)
  }
  await expectAccessible(page)
  const buy = page.getByRole('button', { name: 'BUY' }).first()
  await expect(buy).toBeDisabled()
  await expect(buy).toHaveAccessibleDescription(new RegExp(REASON))
  await expect(buy).toHaveAttribute('title', 'Your wallet is frozen')
  await buy.click({ force: true })
  await expect(page.locator('#wallet-frozen')).toBeFocused()

  await page.goto('/profile')
  await expect(page.getByRole('button', { name: 'Withdraw', exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Get Deposit Address' })).toBeEnabled()
  await page.goto('/marketplace')
  await expect(page.getByRole('button', { name: /^Purchase/ }).first()).toBeDisabled()
  await expectAccessible(page)

  // Others cannot buy what a frozen wallet has listed.
  const ben = await createPlayer(200_000)
  const { body } = await ben.call('GET', `/api/marketplace/listings/user/${seller.address}`)
  const [listing] = (body as { listings: { id: string }[] }).listings
  const purchase = { listingId: listing!.id, walletAddress: ben.address }
  expect((await ben.call('POST', '/api/marketplace/purchase', purchase)).body.code).toBe('listing_suspended')
})

test(
  'an announcement appears on open pages without moving them, and stays away once dismissed (X-13)',
  VARIANT_ON_BOTH,
  async ({ page, context, browser }) => {
    const ana = await createPlayer(0)
    await playAs(context, ana)
    await page.addInitScript(watchLayoutShifts)
    await page.goto('/buy-pickers')
    await expect(page.getByRole('button', { name: 'BUY' }).first()).toBeVisible()
    const text = `The game restarts at 18:00 UTC and is away for a minute (${isPhone(page) ? 'phone' : 'desktop'}).`
    const card = page.getByRole('status').getByText(text)
    const shifts = () => page.evaluate(() => (globalThis as { layoutShift?: number }).layoutShift ?? 0)
    await settle(page)
    const before = await shifts()
    const said = runOps('announce', text, '--until', '2099-01-01T00:00:00Z')
    await expect(card).toBeVisible()
    expect((await shifts()) - before).toBe(0)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    // The first page reads it too, without a socket.
    await page.goto('/')
    await expect(card).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Dismiss this announcement' }).click()
    await expect(card).toBeHidden()
    await page.goto('/myfarm')
    await expect(page.getByRole('heading', { level: 1, name: 'My Farm' })).toBeVisible()
    await settle(page)
    await expect(card).toBeHidden()

    const other = await openPage(browser, ana)
    await other.goto('/transparency')
    const elsewhere = other.getByRole('status').getByText(text)
    await expect(elsewhere).toBeVisible()
    runOps('withdraw-announcement', /Announcement (\S+)/.exec(said)![1]!)
    await expect(elsewhere).toBeHidden()
    await other.context().close()
  },
)
