import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  isPhone,
  settle,
  VARIANT_ON_BOTH,
} from './browser-test.ts'
import { playAs } from './funded-player.ts'
import { readLayoutShift, watchLayoutShifts } from './measure-first-load.ts'
import { createPlayer, openMarket, openPage, runOps, test } from './open-market.ts'

openMarket()

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
    await settle(page)
    const before = await readLayoutShift(page)
    const said = runOps('announce', text, '--until', '2099-01-01T00:00:00Z')
    await expect(card).toBeVisible()
    expect(await readLayoutShift(page)).toBe(before)
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
