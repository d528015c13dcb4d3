import type { Page } from '@playwright/test'
import { createFundedPlayer, playAs } from './funded-player.ts'
import {
  expect,
  settle,
  waitForRender,
  DESKTOP_ONLY,
  test,
  VARIANT,
  VARIANT_ON_BOTH,
} from './browser-test.ts'
import { PRERENDERED_PAGES, rowOf } from './page-table.ts'

const PATHS = PRERENDERED_PAGES.map(({ at }) => at)
const APP_SCRIPT = '**/assets/start-*.js'

/** Delays the app until the returned function is called. */
async function delayApp(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(APP_SCRIPT, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false })

  test(
    'every page is prerendered, and its first style sheet sets the order of the layers',
    DESKTOP_ONLY,
    async ({ page }) => {
      for (const { at, heading, prerendered } of PRERENDERED_PAGES) {
        await page.goto(at)
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
        await expect(page.getByRole('main')).toContainText(prerendered)
        await expectLayersInOrder(page)
      }
      // This page is rendered in the browser.
      await page.goto(rowOf('notFound').at)
      await expectLayersInOrder(page)
    },
  )

  test('the links of a prerendered page work', VARIANT_ON_BOTH, async ({ page }) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Start picking' }).click()
    await expect(page).toHaveURL(/\/buy-pickers$/)
    await page
      .getByRole('link', { name: /^(My )?Farm$/ })
      // On a phone the menu has one as well, and is closed.
      .filter({ visible: true })
      .first()
      .click()
    await expect(page).toHaveURL(/\/myfarm$/)
  })
})

async function expectLayersInOrder(page: Page): Promise<void> {
  // The first mention of a layer sets its rank, with or without rules, and a page has several sheets.
  const [first, order] = await page.evaluate(() => {
    const sheet = document.styleSheets[0]!
    const named = [...sheet.cssRules].flatMap((rule) => {
      if (rule instanceof CSSLayerStatementRule) return [...rule.nameList]
      return rule instanceof CSSLayerBlockRule ? [rule.name] : []
    })
    return [sheet.href, [...new Set(named)]]
  })
  expect(order, `${page.url()}: ${first}`).toEqual(['tokens', 'base', 'ui', 'shell', 'page'])
}

/** Elements that may contain phrasing content only, and block elements (HTML content models). */
const IN_LINE = 'span, p, b, strong, em, small, i, label, button, summary, dt, h1, h2, h3, h4'
const BLOCK =
  'div, p, h1, h2, h3, h4, ul, ol, li, dl, dt, dd, section, article, header, footer, nav, aside, main'

test('the prerendered HTML is valid, and a browser does not rearrange it', VARIANT, async ({ page }) => {
  test.slow()
  for (const path of PATHS) {
    const html = await (await page.request.get(path)).text()
    // A blank page has no content policy that forbids parsing.
    await page.goto('about:blank')
    const [prerendered, read, misplaced] = await page.evaluate(
      ([source, inLine, block]) => {
        const parsed = new DOMParser().parseFromString(source!, 'text/html')
        const inOrder = (text: string) => [...text.matchAll(/<(\/?[a-z][\w-]*)/gi)].map((tag) => tag[1])
        const rootOf = (text: string) =>
          text.slice(text.indexOf('<div id="root">'), text.indexOf('<p id="load-failure"'))
        const ends = /^\/(path|circle|rect|ellipse|line|polygon|polyline|use|stop|image|g)$/
        const tags = (text: string) => inOrder(rootOf(text)).filter((tag) => !ends.test(tag!))
        const wrong = [...parsed.querySelectorAll(inLine!)].flatMap((each) =>
          [...each.querySelectorAll(block!)].map(
            (inner) => `${inner.tagName} in ${each.outerHTML.slice(0, 120)}`,
          ),
        )
        const lists = [...parsed.querySelectorAll(':is(ul, ol) > :not(li), :is(a, button) :is(a, button)')]
        return [
          tags(source!),
          tags(parsed.documentElement.outerHTML),
          [...wrong, ...lists.map((each) => each.outerHTML)],
        ]
      },
      [html, IN_LINE, BLOCK],
    )
    expect(prerendered!.length, path).toBeGreaterThan(40)
    expect(read, path).toEqual(prerendered)
    expect(misplaced, path).toEqual([])
  }
})

/** Records each text for visitors that the page shows, from the next page on. */
function watchVisitorContent(): void {
  const seen = ((globalThis as { seen?: string[] }).seen = [])
  const checkFrame = (): void => {
    for (const element of document.querySelectorAll<HTMLElement>('h2, button, p')) {
      if (/^Connect|Log in first/.test(element.innerText ?? '') && element.checkVisibility())
        seen.push(element.innerText as never)
    }
    requestAnimationFrame(checkFrame)
  }
  checkFrame()
}

for (const who of ['a visitor', 'a player']) {
  const title = who === 'a player' ? ', and never shows content for visitors' : ''
  // A phone hydrates the same header, menu and tab bar for both.
  const where = who === 'a player' ? VARIANT_ON_BOTH : VARIANT
  test(`the app hydrates what ${who} sees without replacing it${title}`, where, async ({ page, context }) => {
    test.slow()
    if (who === 'a player') {
      await playAs(context, await createFundedPlayer(0))
      await page.addInitScript(watchVisitorContent)
    }
    for (const path of PATHS) {
      const release = await delayApp(page)
      // Links from elsewhere add parameters that no page reads.
      await page.goto(who === 'a visitor' ? `${path}?utm_source=x` : path)
      const title = await page.getByRole('heading', { level: 1 }).elementHandle()
      const prerendered = await page.locator('#root *').count()
      expect(prerendered).toBeGreaterThan(20)
      await waitForRender(page)
      release()
      await settle(page)
      expect(await title!.evaluate((node) => node.isConnected), path).toBe(true)
      if (who === 'a player')
        expect(await page.evaluate(() => (globalThis as { seen?: string[] }).seen), path).toEqual([])
      await page.unrouteAll({ behavior: 'wait' })
    }
  })
}

test('a click before hydration is replayed after it', DESKTOP_ONLY, async ({ page }) => {
  const release = await delayApp(page)
  // Links from elsewhere add parameters that no page reads.
  await page.goto('/?utm_source=x&fbclid=y')
  await page.getByRole('button', { name: 'Open menu' }).click()
  release()
  await expect(page.getByRole('navigation', { name: 'Game' })).toBeVisible()
})

test('a URL that differs from the prerendered page renders its own content', VARIANT, async ({ page }) => {
  await page.goto('/parcels/EU?regionName=The%20Old%20World')
  await expect(page.getByRole('heading', { level: 1, name: 'The Old World' })).toBeVisible()
  const { at, heading } = rowOf('notFound')
  await page.goto(at)
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Cotton Farm' })).toBeHidden()
})
