import type { WebSocketRoute } from '@playwright/test'
import * as fc from 'fast-check'
import { ServerMessageSchema } from '#contract/realtime.ts'
import { CONTINENTS } from '#game/continents.ts'
import { damagedJson, schemaOf, valueOf } from '#tests/fuzz/json-values.ts'
import { expect, expectHydrated, test, waitForRender, VARIANT, variantFrom } from './browser-test.ts'
import { DISTINCT_PAGES } from './page-table.ts'
import { playWithResponses } from './response-fixtures.ts'

const ODD_ENDS = [
  '?',
  '?%zz',
  '?%00=%ff',
  '?__proto__=1&constructor=2&a[]=3&a=4',
  `?${'a=1&'.repeat(500)}`,
  '?view=constructor&sort=__proto__&filter=toString&tab=%22&page=-1&region=%F0%9F%8C%BE',
  '#',
  '#%',
  '#%zz',
  '#constructor',
  '#<img src=x onerror=alert(1)>',
  '/',
  '//',
  '/__proto__',
  '/constructor/toString',
  '/%00',
  '/%zz',
  '/%ff%fe',
  '/..%2f..%2fetc',
  `/${'a'.repeat(1_500)}`,
]

const BROKEN = 'Something broke on this page'

test.use({ viewport: { width: 900, height: 500 } })

/** With `ODD_ADDRESSES=all` each page gets all of them; else the pages share them, three or four to each. */
const STEP = process.env.ODD_ADDRESSES === 'all' ? 1 : 6

for (const [first, { at }] of DISTINCT_PAGES.entries()) {
  test(
    `an odd address below or behind ${at} shows a page and no error`,
    variantFrom(1, first),
    async ({ page }) => {
      test.setTimeout(240_000)
      await playWithResponses(page)
      await page.goto('/buy-pickers')
      await expectHydrated(page)
      for (const end of ODD_ENDS.filter((_, nth) => nth % STEP === first % STEP)) {
        // Within the app: the server refuses some of these addresses.
        await page.evaluate(
          (address) => {
            window.history.pushState({}, '', window.location.origin + address)
            window.dispatchEvent(new PopStateEvent('popstate'))
          },
          at.replace(/\/$/, '') + end,
        )
        await waitForRender(page)
        await expect(page.getByRole('heading', { level: 1 }), end).toBeVisible()
        await expect(page.getByText(BROKEN), end).toBeHidden()
      }
    },
  )
}

test('two hundred wrong frames of a hostile server break no page', VARIANT, async ({ page }) => {
  test.setTimeout(240_000)
  const known = { continentCode: CONTINENTS, regionId: CONTINENTS }
  const frames = fc.sample(damagedJson(valueOf(schemaOf(ServerMessageSchema), known)), {
    seed: 1,
    numRuns: 200,
  })
  await playWithResponses(page)
  const connections: WebSocketRoute[] = []
  await page.routeWebSocket('**/ws', (socket) => {
    connections.push(socket)
  })
  for (const at of ['/parcels/EU', '/parcels', '/buy-pickers', '/marketplace']) {
    connections.length = 0
    await page.goto(at)
    await expectHydrated(page)
    await expect.poll(() => connections.length > 0).toBe(true)
    for (const frame of frames) connections.at(-1)?.send(frame)
    await waitForRender(page)
    await expect(page.getByText(BROKEN), at).toBeHidden()
  }
})
