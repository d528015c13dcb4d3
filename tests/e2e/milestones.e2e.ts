import type { Locator, Page } from '@playwright/test'
import { createFundedPlayer, playAs } from './funded-player.ts'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  settle,
  test,
  VARIANT,
  waitForRender,
  PHONE_FIRST,
} from './browser-test.ts'
import { playWithResponses, RESPONSES } from './response-fixtures.ts'

const card = (page: Page) => page.getByRole('complementary', { name: /milestones? reached!/i })
const board = (page: Page) => page.getByRole('region', { name: 'Harvest Board' })

/** How many controls outside the element are covered by it. */
const countCovered = (element: Locator): Promise<number> =>
  element.evaluate((each) => {
    const own = each.getBoundingClientRect()
    return [...document.querySelectorAll('a[href], button')].filter((control) => {
      const { left, right, top, bottom } = control.getBoundingClientRect()
      const isBeside = left >= own.right || right <= own.left || top >= own.bottom || bottom <= own.top
      return !each.contains(control) && control.checkVisibility({ visibilityProperty: true }) && !isBeside
    }).length
  })

test(
  'a milestone is celebrated once without covering a control, and board and profile show it (X-25)',
  PHONE_FIRST,
  async ({ page }) => {
    const player = await createFundedPlayer(100_000)
    await playAs(page.context(), player)
    await page.goto('/myfarm')
    await expect(board(page)).toContainText('Your first Kid')
    await expect(board(page)).toContainText('50,000 / 50,000 $COTTON')
    await expect(board(page)).toContainText('Milestones: 0 of')

    await player.call('POST', '/api/workers/purchase', { workerType: 'kid', walletAddress: player.address })
    await page.goto('/buy-pickers')
    await expect(card(page)).toContainText('First picker')
    await expect(page.getByText('Milestone reached: First picker.')).toBeAttached()
    await expect.poll(() => countCovered(card(page))).toBe(0)
    await card(page).getByRole('button', { name: 'Close the celebration' }).click()
    await expect(card(page)).toBeHidden()
    await expect(page.locator('#main')).toBeFocused()

    // A claim reaches a level while the page is open.
    await page.goto('/myfarm')
    await expect(board(page)).toContainText('A second Kid')
    await expect(board(page)).toContainText('Milestones: 1 of')
    await expect(board(page).getByText('First picker', { exact: true })).toBeVisible()
    await expect(card(page)).toBeHidden()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)

    const read = page.waitForResponse('**/api/milestones')
    await page.goto('/profile')
    await read
    const shelf = page.getByRole('region', { name: 'Milestones' })
    await expect(shelf.getByText('First picker', { exact: true })).toBeVisible()
    await settle(page)
    await expect(card(page)).toBeHidden()
    await shelf.getByRole('link', { name: 'See your goals' }).click()
    await board(page).getByRole('link', { name: 'Hire Kid' }).click()
    const kid = page.getByRole('region', { name: 'Kid', exact: true })
    await expect(kid.getByRole('button', { name: 'BUY' })).toBeFocused()
  },
)

test(
  'a hire on the page is celebrated at once, on one of two windows',
  VARIANT,
  async ({ page, context }) => {
    const player = await createFundedPlayer(200_000)
    await playAs(context, player)
    const other = await context.newPage()
    for (const each of [page, other]) {
      await each.goto('/buy-pickers')
      await each.waitForResponse('**/api/milestones')
    }
    const granted: string[][] = []
    for (const each of [page, other]) {
      each.on('response', async (response) => {
        if (response.url().endsWith('/api/milestones/celebrate'))
          granted.push((await response.json()).granted)
      })
    }
    await page.getByRole('region', { name: 'Grandma' }).getByRole('button', { name: 'BUY' }).click()
    // The card waits for the toast of the hire.
    await expect(card(page)).toContainText('First picker')
    await other.reload()
    await other.waitForResponse('**/api/milestones')
    // What it reads may be celebrated only later.
    await settle(other)
    await expect(card(other)).toBeHidden()
    expect(granted.flat()).toEqual(['first-picker'])
  },
)

test('a celebration that was seen does not come back after a dialog', VARIANT, async ({ page }) => {
  await page.clock.install()
  await playWithResponses(page, (name, whole) =>
    name === 'readMilestones' ? { ...RESPONSES.readMilestones, granted: [] } : whole,
  )
  await page.route('**/api/milestones/celebrate', (route) =>
    route.fulfill({ json: { success: true, granted: ['first-picker'] } }),
  )
  await page.goto('/buy-pickers')
  await expect(card(page)).toContainText('First picker')
  await page.clock.runFor(2_000)
  await page.getByRole('button', { name: 'View kid' }).click()
  const details = page.getByRole('dialog', { name: 'kid' })
  await expect(details).toBeVisible()
  await expect(card(page)).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await waitForRender(page)
  expect(await card(page).count()).toBe(0)
})

test('a board that fails to load can be read again', VARIANT, async ({ page }) => {
  await playAs(page.context(), await createFundedPlayer(0))
  await page.route('**/api/milestones', (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto('/myfarm')
  await expect(board(page).getByRole('alert')).toHaveText('Your milestones could not be loaded')
  await page.unrouteAll({ behavior: 'wait' })
  await board(page).getByRole('button', { name: 'Try again' }).click()
  await expect(board(page)).toContainText('Milestones: 0 of')
})
