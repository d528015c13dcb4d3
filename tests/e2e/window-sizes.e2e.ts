import { createFundedPlayer, playAs } from './funded-player.ts'
import { buildWorkerReply, playWithBalance } from './delay-responses.ts'
import {
  expectHydrated,
  goTo,
  closeGreeting,
  expect,
  expectAccessible,
  expectFitsNarrow,
  expectNoSidewaysScroll,
  isPhone,
  test,
  VARIANT,
  VARIANT_ON_BOTH,
  PHONE_FIRST,
} from './browser-test.ts'
import type { Locator, Page } from '@playwright/test'
import { DISTINCT_PAGES } from './page-table.ts'
import { playWithResponses } from './response-fixtures.ts'

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Main pages' })

test(
  'a phone has a bar with the main pages, the current one and what is ready; a desktop has the menu',
  PHONE_FIRST,
  async ({ page, context }) => {
    await page.goto('/terms')
    await closeGreeting(page)
    await expect(tabs(page)).toBeVisible({ visible: isPhone(page) })
    if (!isPhone(page)) return
    await expect(tabs(page).getByRole('link')).toHaveText(['Farm', 'Hire', 'World', 'Me'])
    await playAs(context, await createFundedPlayer(0))
    const kid = buildWorkerReply({
      workerId: 'kid-0001',
      workerType: 'kid',
      total: 8_072,
      claimed: 0,
      rate: 0,
    })
    await page.route('**/api/workers/owned', (route) => route.fulfill({ json: [kid] }))
    await page.reload()
    await expect(tabs(page).getByRole('link', { name: 'Farm 8,072 $COTTON ready' })).toBeVisible()
    await expect(tabs(page).locator('[aria-current]')).toHaveCount(0)
    for (const [name, heading] of Object.entries({
      Hire: 'Buy Pickers',
      World: 'World Map',
      Me: 'Profile',
    })) {
      const tab = tabs(page).getByRole('link', { name, exact: true })
      await tab.click()
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expect(tab).toHaveAttribute('aria-current', 'page')
      await expect(tabs(page).locator('[aria-current]')).toHaveCount(1)
    }
    await page.goto('/parcels/EU')
    await expect(tabs(page).locator('[aria-current]')).toHaveText('World')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  },
)

test(
  'the time of day and the motion that a player chooses apply at once and at the next visit (X-18)',
  VARIANT,
  async ({ page, context }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await playAs(context, await createFundedPlayer(0))
    await page.goto('/profile')
    await page.getByRole('main').getByRole('button', { name: 'Settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await settings.getByText('Night', { exact: true }).click()
    await settings.getByText('Reduced', { exact: true }).click()
    const mill = page.locator('.world-mill')
    const expectApplied = async () => {
      await expect(page.locator('html')).toHaveAttribute('data-time', 'night')
      await expect(mill).toHaveCSS('animation-name', 'none')
    }
    await expectApplied()
    await settings.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('main').getByRole('button', { name: 'Settings' })).toBeFocused()
    await page.reload()
    await expectApplied()
    await page.getByRole('main').getByRole('button', { name: 'Settings' }).click()
    await settings.getByText('As the system says').click()
    await settings.getByText('By the clock').click()
    await expect(mill).not.toHaveCSS('animation-name', 'none')
    expect(
      await page.evaluate(() => [localStorage.getItem('timeOfDay'), localStorage.getItem('motion')]),
    ).toEqual([null, null])

    // A browser whose storage is full stores neither.
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('It is full.', 'QuotaExceededError')
      }
    })
    await settings.getByText('Night', { exact: true }).click()
    await settings.getByText('Reduced', { exact: true }).click()
    await expectApplied()
  },
)

test(
  'after navigation the heading has the focus and the title is announced, after the first load neither',
  VARIANT_ON_BOTH,
  async ({ page }) => {
    const heading = page.getByRole('heading', { level: 1 })
    const announced = page.locator('p[aria-live="polite"]')
    await page.goto('/terms')
    await closeGreeting(page)
    await expect(heading).not.toBeFocused()
    await expect(announced).toBeEmpty()
    await goTo(page, 'Buy Pickers')
    await expect(heading).toBeFocused()
    await expect(announced).toHaveText('Buy Pickers · Cotton Farm')
    await page.goBack()
    await expect(heading).toHaveText('Terms and risks')
    await expect(heading).toBeFocused()
    await expect(announced).toHaveText('Terms and risks · Cotton Farm')
  },
)

const SIZES = [
  [320, 844],
  [390, 844],
  [768, 1024],
  [820, 1180],
  [844, 390],
  [1024, 768],
  [1366, 680],
  [2560, 1440],
] as const

/** What a player does first on a page, and from which window height on it is in sight. */
const FIRST_ACTIONS: Partial<Record<string, { action: string; heightPx: number }>> = {
  '/': { action: 'Start picking', heightPx: 390 },
  '/buy-pickers': { action: 'BUY', heightPx: 680 },
  '/myfarm': { action: 'CLAIM', heightPx: 768 },
}

/** Controls in sight whose centre is covered by another control. Bars cover what scrolls behind them. */
const findCoveredControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isBar = (element: Element | null): boolean => {
      for (let at = element; at; at = at.parentElement)
        if (/fixed|sticky/.test(getComputedStyle(at).position)) return true
      return false
    }
    const controls = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select')]
    return controls.flatMap((control) => {
      if (control.closest('.vh, .skip, [inert]') || !control.checkVisibility({ visibilityProperty: true }))
        return []
      const { left, top, width, height } = control.getBoundingClientRect()
      const above = document
        .elementFromPoint(left + width / 2, top + height / 2)
        ?.closest('a[href], button, label')
      if (!above || above.contains(control) || control.contains(above)) return []
      return isBar(above) && !isBar(control)
        ? []
        : [`${control.outerHTML.slice(0, 90)} under ${above.outerHTML.slice(0, 90)}`]
    })
  })

test(
  'every page fits every window, its first action is in sight, and its bar has the wallet button (S-14, X-19)',
  VARIANT,
  async ({ page, context }) => {
    test.slow()
    const player = await createFundedPlayer(60_000)
    await player.call('POST', '/api/workers/purchase', { workerType: 'kid', walletAddress: player.address })
    await playAs(context, player)
    await context.addInitScript(() => localStorage.setItem('firstSteps', 'done'))
    const wallet = `Wallet ${player.address.slice(0, 6)}…${player.address.slice(-4)}, open profile`
    const bar = page.getByRole('banner').first()
    for (const { at: path } of DISTINCT_PAGES) {
      const first = FIRST_ACTIONS[path]
      await page.goto(path)
      if (path === '/marketplace') await page.getByRole('button', { name: 'Got it' }).click()
      await expectHydrated(page)
      for (const [width, height] of SIZES) {
        await test.step(`${path} at ${width} × ${height}`, async () => {
          await page.setViewportSize({ width, height })
          await expectNoSidewaysScroll(page)
          await expect.poll(() => findCoveredControls(page)).toEqual([])
          // The hero has its own header.
          if (width <= 768 && path !== '/')
            await expect(bar.getByRole('button').filter({ visible: true }).last()).toHaveAccessibleName(
              wallet,
            )
          if (!first || height < first.heightPx || width < 768) return
          const action = page.getByRole('main').getByText(first.action, { exact: true }).first()
          await expect(action).toBeInViewport({ ratio: 1 })
        })
      }
    }
  },
)

test(
  'with forced colours every letter is bare, and the current page and the filling of a bar are marked',
  VARIANT,
  async ({ page, context }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await playAs(context, await createFundedPlayer(0))
    await page.goto('/buy-pickers')
    const kid = page.getByRole('region', { name: 'Kid', exact: true })
    const style = (target: Locator, property: string) =>
      target.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
    for (const target of [page.getByRole('heading', { level: 1 }), kid.getByRole('button', { name: 'BUY' })])
      expect(await style(target, '-webkit-text-stroke-width')).toBe('0px')
    const current = page.getByRole('navigation', { name: 'Game' }).locator('[aria-current]')
    const other = page.getByRole('navigation', { name: 'Game' }).getByRole('link', { name: 'Profile' })
    expect(await style(current, 'background-color')).not.toBe(await style(other, 'background-color'))
    await expect(kid.getByRole('progressbar')).toBeVisible()
    expect(await style(kid.getByRole('progressbar'), 'forced-color-adjust')).toBe('none')
  },
)

test('a balance of ten digits fits the profile of the smallest phones', VARIANT, async ({ page }) => {
  await playWithBalance(page, 1_234_567_890)
  await page.goto('/profile')
  const balance = page.getByRole('region', { name: 'Account Information' }).locator('p.num')
  await expect(balance).toContainText('1,234,567,890')
  await expectFitsNarrow(page, balance)
})

test('a long announcement can be dismissed in a large window at 400 %', VARIANT, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 })
  const announcement = {
    id: 'long',
    text: 'Interplanetary maintenance '.repeat(11).trim(),
    until: '2099-01-01T00:00:00.000Z',
  }
  await playWithResponses(page, (name, whole) =>
    name === 'readSite' ? { ...(whole as object), announcements: [announcement] } : whole,
  )
  await page.goto('/buy-pickers')
  const dismiss = page.getByRole('button', { name: 'Dismiss this announcement' })
  await dismiss.click()
  await expect(dismiss).toBeHidden()
})
