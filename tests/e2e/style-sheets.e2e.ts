import type { Page } from '@playwright/test'
import { createFundedPlayer, playAs } from './funded-player.ts'
import { expect, expectHydrated, test, VARIANT } from './browser-test.ts'

/** The first page of a visit, and the pages that are opened afterwards: link and heading. */
const VISITS: Record<string, [link: RegExp, heading: string][]> = {
  '/': [
    [/Start picking/, 'Buy Pickers'],
    [/^My Farm/, 'My Farm'],
  ],
  '/buy-pickers': [
    [/^Profile/, 'Profile'],
    [/^My Farm/, 'My Farm'],
  ],
  '/parcels/EU': [
    [/^Buy Pickers/, 'Buy Pickers'],
    [/^Profile/, 'Profile'],
  ],
  '/transparency': [
    [/^My Farm/, 'My Farm'],
    [/^Buy Pickers/, 'Buy Pickers'],
  ],
}

for (const [start, steps] of Object.entries(VISITS)) {
  test(`a visit that starts at ${start} loads each style rule once`, VARIANT, async ({ page, context }) => {
    await playAs(context, await createFundedPlayer(0))
    const sheets = collectSheets(page)
    await page.goto(start)
    await expectHydrated(page)
    for (const [link, heading] of steps) {
      await page.getByRole('link', { name: link }).first().click()
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    }
    const received = await sheets()
    expect(received.length, 'the visit has loaded styles of several pages').toBeGreaterThan(3)
    expect(await repeatedRules(page, received)).toEqual([])
  })
}

/** The text of every style sheet that the server sends to this page, including repetitions. */
function collectSheets(page: Page): () => Promise<string[]> {
  const texts: Promise<string>[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.css')) texts.push(response.text())
  })
  return () => Promise.all(texts)
}

/** The rules that occur more than once in these sheets, each with its enclosing rules. */
async function repeatedRules(page: Page, sheets: string[]): Promise<string[]> {
  const rules = await page.evaluate((texts) => {
    const listRules = (rules: CSSRuleList, around: string): string[] =>
      [...rules].flatMap((rule) => {
        if (rule instanceof CSSStyleRule) return [`${around}${rule.cssText}`]
        const nested = (rule as CSSGroupingRule).cssRules
        if (!nested) return []
        return listRules(nested, `${around}${rule.cssText.slice(0, rule.cssText.indexOf('{'))}/ `)
      })
    return texts.flatMap((text) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(text)
      return listRules(sheet.cssRules, '')
    })
  }, sheets)
  expect(rules.length, 'the sheets could be parsed').toBeGreaterThan(300)
  return rules.filter((rule, index) => rules.indexOf(rule) !== index)
}
