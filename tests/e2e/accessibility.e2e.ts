import type { Page } from '@playwright/test'
import { createFundedPlayer, playAs, type Player } from './funded-player.ts'
import { playWithBalance } from './delay-responses.ts'
import {
  expect,
  expectNoSidewaysScroll,
  findViolations,
  settle,
  DESKTOP_ONLY,
  test,
  variantFrom,
} from './browser-test.ts'
import { DISTINCT_PAGES } from './page-table.ts'
import { HIRED_KID } from './response-fixtures.ts'

// A player with a picker, a deposit and land, so that every page has content. Each test worker creates one, on land that
// no other test uses.
let rich: Promise<Player> | undefined
const richPlayer = (): Promise<Player> =>
  (rich ??= (async () => {
    const player = await createFundedPlayer(300_000)
    const { address: walletAddress } = player
    await player.call('POST', '/api/workers/purchase', { workerType: 'kid', walletAddress })
    for (const parcelId of ['AN-09', 'AN-10', 'AN-11', 'AN-12']) {
      const { status } = await player.call('POST', '/api/parcels/purchase', { parcelId, walletAddress })
      if (status === 200) break
    }
    return player
  })())

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Expects no violation of the rules or of best practices. */
async function expectFlawless(page: Page): Promise<void> {
  expect(await findViolations(page, TAGS)).toEqual([])
}

/** Elements that are clipped by the window or by their own box. Content of scrollable boxes does not count. */
const findClippedElements = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const pans = (element: Element): boolean => {
      for (let at: Element | null = element; at; at = at.parentElement) {
        const { overflowX } = getComputedStyle(at)
        if (overflowX === 'auto' || overflowX === 'scroll')
          return at.tagName !== 'HTML' && at.tagName !== 'BODY'
      }
      return false
    }
    const shown = 'a, button, input, select, label, h1, h2, h3, p, dt, dd, li, output, time, b, small'
    return [...document.querySelectorAll<HTMLElement>(shown)].flatMap((element) => {
      if (element.closest('.vh, [aria-hidden="true"], [inert], [hidden], option, .skip')) return []
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return []
      const { left, right, width } = element.getBoundingClientRect()
      if (width === 0 || pans(element)) return []
      const out = left < -1 || right > innerWidth + 1
      const { overflowX, textOverflow } = getComputedStyle(element)
      const clipped =
        overflowX !== 'visible' &&
        textOverflow !== 'ellipsis' &&
        element.scrollWidth > element.clientWidth + 1
      return out || clipped ? [`${element.outerHTML.slice(0, 110)} ${left}–${right}`] : []
    })
  })

/** Touch targets below 44 px. Links in sentences may be smaller, and so may land that also has a card. A disabled button is none. */
const findSmallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const pressable = 'a[href], button, input, select, [role="tab"], [role="button"], summary'
    return [...document.querySelectorAll<HTMLElement>(pressable)].flatMap((element) => {
      if (element instanceof SVGElement || element.closest('.skip, [inert], [hidden], :disabled')) return []
      // Elements outside of the window are not laid out and have no size yet.
      if (!element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return []
      const inSentence = getComputedStyle(element).display === 'inline'
      const { width, height } = (element.closest('label') ?? element).getBoundingClientRect()
      const small = Math.min(width, height) < 43.5
      return small && !inSentence ? [`${element.outerHTML.slice(0, 110)} ${width} × ${height}`] : []
    })
  })

/** A target that grows as it appears is measured again. */
const expectLargeTargets = (page: Page): Promise<void> =>
  expect.poll(() => findSmallTargets(page)).toEqual([])

/** Animations that run although the player prefers reduced motion. */
const findRunningAnimations = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => {
        const { duration, iterations } = effect!.getComputedTiming()
        return playState === 'running' && (Number(duration) > 50 || iterations === Infinity)
      })
      .map((animation) => String((animation as CSSAnimation).animationName)),
  )

for (const [index, { at, heading, opened = '' }] of DISTINCT_PAGES.entries()) {
  const path = `${at}${opened}`
  test(
    `${path} supports touch, large text and small windows, and passes axe (X-19)`,
    variantFrom(1, index),
    async ({ page, context }) => {
      await playAs(context, await richPlayer())
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      const gotIt = page.getByRole('button', { name: 'Got it' })
      if (path === '/marketplace') await gotIt.click()
      await settle(page)
      await expectLargeTargets(page)
      await expectFlawless(page)

      // 1280 px at 200 % and at 400 %: a desktop with large text (WCAG 1.4.4, 1.4.10).
      for (const width of [640, 320]) {
        await page.setViewportSize({ width, height: width === 640 ? 512 : 256 })
        await expectNoSidewaysScroll(page)
        await expect.poll(() => findClippedElements(page)).toEqual([])
      }
      await page.setViewportSize({ width: 1440, height: 900 })
      await expectFlawless(page)
    },
  )
}

test('toasts and the balance are announced (X-16)', DESKTOP_ONLY, async ({ page }) => {
  await page.route('**/api/workers/purchase', (route) =>
    route.fulfill({ json: { ...HIRED_KID, newBalance: 70_000 } }),
  )
  await playWithBalance(page, 120_000)
  await page.goto('/buy-pickers')
  const spoken = page.getByRole('status').filter({ hasText: 'Your balance:' })
  await expect(spoken).toHaveText('Your balance: 120,000 $COTTON')
  const toasts = page.getByRole('region', { name: 'Notifications' })
  await expect(toasts).toHaveAttribute('aria-live', 'polite')
  await page.getByRole('region', { name: 'Kid', exact: true }).getByRole('button', { name: 'BUY' }).click()
  await expect(spoken).toHaveText('Your balance: 70,000 $COTTON')
  await expect(toasts.getByRole('status')).toContainText('Successfully purchased kid-0042!')
})

const DIALOGS: Record<string, { path: string; opener: string | RegExp; name: string | RegExp }> = {
  'a picker': { path: '/buy-pickers', opener: 'View Kid', name: 'Kid' },
  'an alert': { path: '/buy-pickers', opener: 'BUY', name: /^Not enough/ },
  'land details': { path: '/parcels/OC', opener: /^Tonga\b/, name: 'Land Details' },
  'a withdrawal': { path: '/profile', opener: 'Withdraw', name: /^Confirm withdrawal/ },
}

for (const [index, [what, { path, opener, name }]] of Object.entries(DIALOGS).entries()) {
  test(
    `${what} in a dialog supports touch and small windows, and returns the focus (X-18)`,
    variantFrom(1, index),
    async ({ page }) => {
      await playWithBalance(page, 20_000)
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(path)
      const button = page
        .getByRole('main')
        .getByRole('button', { name: opener, exact: typeof opener === 'string' })
      await button.last().focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole(what === 'an alert' ? 'alertdialog' : 'dialog', { name })
      await expect(dialog).toBeVisible()
      await expect(dialog.locator(':focus')).toBeVisible()
      await settle(page)
      await expectLargeTargets(page)
      expect(await findRunningAnimations(page)).toEqual([])
      await expectFlawless(page)
      await page.setViewportSize({ width: 320, height: 256 })
      await expectNoSidewaysScroll(page)
      await expect.poll(() => findClippedElements(page)).toEqual([])
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(button.last()).toBeFocused()
    },
  )
}
