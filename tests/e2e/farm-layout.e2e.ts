import type { Page } from '@playwright/test'
import { WORKER_TYPES, WORKERS } from '#game/workers.ts'
import { buildWorkerReply, delayResponses, playWithBalance } from './delay-responses.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, VARIANT } from './browser-test.ts'

const DESKTOP = { width: 1440, height: 900 }
const TABLET = { width: 768, height: 1024 }
const PHONE = { width: 390, height: 844 }

/** A farm with one picker of each type that has this amount to claim. */
async function stubAmounts(page: Page, amounts: readonly number[]): Promise<void> {
  await page.unroute('**/api/workers/owned')
  await page.route('**/api/workers/owned', (route) => {
    const workers = WORKER_TYPES.slice(0, amounts.length).map((workerType, at) => ({
      ...buildWorkerReply({
        workerId: `${workerType}-0001`,
        workerType,
        total: amounts[at]!,
        claimed: 0,
        rate: WORKERS[workerType].ratePerHour,
      }),
      lastTokenUpdate: new Date().toISOString(),
    }))
    return route.fulfill({ json: { success: true, workers, next: null } })
  })
}

/** The texts that are wider than the box around them: in bubbles, tiles and buttons. */
const findOverflow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    // Texts for screen readers only have no box of their own.
    const boxOf = (box: Element): DOMRect => {
      const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
      const range = document.createRange()
      const rects: DOMRect[] = []
      while (texts.nextNode()) {
        if (texts.currentNode.parentElement!.closest('.vh')) continue
        range.selectNodeContents(texts.currentNode)
        const rect = range.getBoundingClientRect()
        if (rect.width > 0) rects.push(rect)
      }
      const left = Math.min(...rects.map((each) => each.left))
      const top = Math.min(...rects.map((each) => each.top))
      const right = Math.max(...rects.map((each) => each.right))
      const bottom = Math.max(...rects.map((each) => each.bottom))
      return new DOMRect(left, top, right - left, bottom - top)
    }
    const isOutside = (inner: DOMRect, outer: DOMRect): boolean =>
      inner.left < outer.left || inner.right > outer.right || inner.bottom > outer.bottom + 1
    const pairs = [...document.querySelectorAll('article')].flatMap((plot) => {
      const bubble = plot.querySelector('b')!.closest('div')!
      const field = plot.getBoundingClientRect()
      return [
        {
          inner: boxOf(plot.querySelector('b')!),
          outer: bubble.getBoundingClientRect(),
          text: bubble.textContent,
        },
        { inner: bubble.getBoundingClientRect(), outer: field, text: bubble.textContent },
        ...[...plot.querySelectorAll('button, a')].map((each) => ({
          inner: boxOf(each),
          outer: each.getBoundingClientRect(),
          text: each.textContent,
        })),
      ]
    })
    const tiles = [...document.querySelectorAll('[aria-label="Totals"] li')].flatMap((tile) => {
      const amount = boxOf(tile.querySelector('dd')!)
      const button = tile.querySelector('button')?.getBoundingClientRect()
      const limit = tile.getBoundingClientRect()
      if (button) limit.width = button.left - limit.left
      return [{ inner: amount, outer: limit, text: tile.textContent }]
    })
    return [...pairs, ...tiles].filter(({ inner, outer }) => isOutside(inner, outer)).map(({ text }) => text)
  })

test(
  'no amount leaves its bubble, tile or field, at any size of the window (S-62)',
  VARIANT,
  async ({ page }) => {
    await playWithBalance(page, 0)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const sets = [
      [0, 427, 10_000_000, 99_999_000],
      [185_000_000, 1_234_567_890, 987_654_321_000, 10 ** 12],
    ]
    for (const amounts of sets) {
      await stubAmounts(page, amounts)
      await page.goto('/myfarm')
      for (const size of [
        DESKTOP,
        TABLET,
        PHONE,
        { width: 1024, height: 768 },
        { width: 844, height: 390 },
      ]) {
        await page.setViewportSize(size)
        await expect(page.getByRole('article')).toHaveCount(4)
        expect(await findOverflow(page), `${size.width} ${amounts[3]}`).toEqual([])
        await expectNoSidewaysScroll(page)
      }
    }
    await expect(page.getByRole('article', { name: 'Kid' }).getByText(/185,000,\d{3}/)).toBeAttached()
    await delayResponses(page, '**/api/workers/claim-all')
    await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: 'Claim all' }).click()
    await expect(page.getByRole('article').first().locator('b')).toHaveText('CLAIMING')
    expect(await findOverflow(page)).toEqual([])
    await page.setViewportSize(DESKTOP)
    expect(await findOverflow(page)).toEqual([])
  },
)

test('everything that can be claimed is in the first screen', VARIANT, async ({ page }) => {
  await playWithBalance(page, 0)
  await stubAmounts(page, [1_000, 2_000, 3_000, 4_000])
  const claims = page.getByRole('button', { name: 'CLAIM', exact: true })
  const findHidden = () =>
    claims.evaluateAll((buttons) =>
      buttons
        .filter((button) => {
          const { left, width, top, height } = button.getBoundingClientRect()
          const hit = (y: number) =>
            document.elementFromPoint(left + width / 2, y)?.closest('button') === button
          return !hit(top + 4) || !hit(top + height - 6)
        })
        .map((button) => button.id),
    )
  await page.setViewportSize(PHONE)
  await page.goto('/myfarm')
  await expect(page.getByRole('button', { name: 'Show me' })).toBeVisible()
  await expect(claims).toHaveCount(4)
  expect(await findHidden(), 'below the first steps').toEqual([])
  await page.addInitScript(() => localStorage.setItem('firstSteps', 'done'))
  await page.reload()
  await expect(claims).toHaveCount(4)
  for (const size of [PHONE, DESKTOP, TABLET, { width: 1366, height: 680 }, { width: 1024, height: 768 }]) {
    await page.setViewportSize(size)
    expect(await findHidden(), `${size.width}`).toEqual([])
  }
  await page.setViewportSize({ width: 844, height: 390 })
  await expect(page.getByRole('article', { name: 'Kid' }).locator('img[width="320"]')).toBeInViewport({
    ratio: 0.9,
  })

  await page.setViewportSize(PHONE)
  await stubAmounts(page, [1_000])
  await page.reload()
  await expect(page.getByRole('button', { name: 'CLAIM', exact: true })).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('link', { name: /^Hire Grandma/ })).toBeInViewport()
  await expectAccessible(page)
})

test(
  'the farm has the light of the hour: lamps and fireflies at night, and no sun of its own',
  VARIANT,
  async ({ page }) => {
    await playWithBalance(page, 0)
    await stubAmounts(page, [1_000])
    await page.goto('/myfarm')
    const lights = (time: string) =>
      page.getByRole('region', { name: 'Fields' }).evaluate((farm, time) => {
        document.documentElement.dataset.time = time
        const opacities = [...farm.querySelectorAll('symbol :is(g, path)')].map(
          (each) => getComputedStyle(each).opacity,
        )
        const fireflies = [...farm.querySelectorAll('i')].filter((each) => each.checkVisibility())
        const sky = getComputedStyle(farm.querySelector('#farm-sky stop')!).stopColor
        return { lit: opacities.filter((each) => each !== '0').length, fireflies: fireflies.length, sky }
      }, time)
    await expect(page.getByRole('article', { name: 'Kid' })).toBeVisible()
    const [day, dusk, night] = [await lights('day'), await lights('dusk'), await lights('night')]
    expect([day.fireflies, dusk.fireflies, night.fireflies]).toEqual([0, 0, 8])
    expect(new Set([day.sky, dusk.sky, night.sky]).size).toBe(3)
    expect(night.lit).toBeGreaterThan(dusk.lit)
    expect(dusk.lit).toBeGreaterThan(day.lit)
  },
)
