import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { trackRequests } from './settle.ts'

export { expect }
export { expectHydrated, settle, waitForRender } from './settle.ts'

/**
 * A test against the started game. It fails if the page logs an error, for example an exception, a blocked resource or a
 * violation of the content security policy.
 */
export const test = base.extend<{ complaints: string[]; quiet: void }>({
  baseURL: async ({}, use) => use(process.env.GAME_URL),
  complaints: async ({}, use) => use([]),
  quiet: [
    async ({ page, context, complaints }, use) => {
      trackRequests(page)
      context.on('page', trackRequests)
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => {
        // The browser itself logs refused calls. Tests check what the player sees instead.
        const refusedCall = message.text().startsWith('Failed to load resource')
        if (message.type() === 'error' && !refusedCall) complaints.push(message.text())
      })
      await use()
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

/** For a test that does not depend on the layout: it runs on the desktop only. */
export const DESKTOP_ONLY = { tag: '@once' }

/** For a test that a phone makes harder, or that does more there: with `npm test` it runs on the phone only. */
export const PHONE_FIRST = { tag: '@phone-first' }

/** For a test whose layout matters less than what it does: with `npm test` it runs on the desktop only. */
export const DESKTOP_FIRST = { tag: '@desktop-first' }

/** For a further case of what another test proves: `npm run test:all` runs it on the desktop, `npm test` does not. */
export const VARIANT = { tag: ['@once', '@variant'] }

/** As `VARIANT`, but the layout matters: on desktop and phone. */
export const VARIANT_ON_BOTH = { tag: '@variant' }

/** For one of many cases: the first `always` run with every test command, the others are variants. */
export const variantFrom = (always: number, index: number) => (index < always ? DESKTOP_ONLY : VARIANT)

/** Whether the page has the layout for phones. */
export const isPhone = (page: Page): boolean => page.viewportSize()!.width <= 768

/** The violations that axe finds for these tags, or by these rules. */
export async function findViolations(page: Page, of: string[] | { rules: string[] }): Promise<string[]> {
  // Axe is half a megabyte of script, so a page that has it keeps it.
  const axeSource = (await page.evaluate(() => 'axe' in window)) ? ';' : undefined
  const axe = new AxeBuilder({ page, ...(axeSource && { axeSource }) })
    // Describing the elements without a violation takes half of its time.
    .options({ resultTypes: ['violations'] })
    // Legacy mode checks one frame only, and needs no second page to merge the results.
    .setLegacyMode()
  if (Array.isArray(of)) axe.withTags(of)
  else axe.withRules(of.rules)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`)
}

/** Expects no violation of WCAG 2.2 AA that axe can detect. */
export async function expectAccessible(page: Page): Promise<void> {
  const found = await findViolations(page, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
  expect(found).toEqual([])
}

/** Ignores the errors that an offline browser logs at each reconnect. */
export function ignoreOfflineErrors(complaints: string[]): void {
  const others = complaints.filter((each) => !/WebSocket.*ERR_INTERNET_DISCONNECTED/.test(each))
  complaints.splice(0, complaints.length, ...others)
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const content = await page.evaluate(() => document.documentElement.scrollWidth)
  // On a phone `innerWidth` is no measure: it grows with the content, up to which a player can zoom out.
  expect(content).toBeLessThanOrEqual(page.viewportSize()!.width)
}

/** Expects that what these elements contain fits into them in a window of 320 pixels, the width of the smallest phones. */
export async function expectFitsNarrow(page: Page, elements: Locator): Promise<void> {
  const before = page.viewportSize()!
  await page.setViewportSize({ width: 320, height: 720 })
  const spills = await elements.evaluateAll((all) =>
    all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  )
  expect(spills.length).toBeGreaterThan(0)
  // Chromium rounds both widths.
  expect(Math.max(...spills)).toBeLessThanOrEqual(1)
  await page.setViewportSize(before)
}

/** Expects that the layouts for desktops and phones are accessible and fit. It loads no second page, as a story on a phone would. */
export async function expectBothLayouts(page: Page): Promise<void> {
  const before = page.viewportSize()!
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  }
  await page.setViewportSize(before)
}

/** Logs in with the local test wallet through the login popup. */
export async function logIn(page: Page): Promise<void> {
  const popup = page.getByRole('dialog', { name: 'You need to be logged in' })
  await popup.getByRole('button', { name: 'Play with a test wallet' }).click()
  await expect(page.getByText('Logged in', { exact: true })).toBeVisible()
  await expect(popup).toBeHidden()
}

/** Closes the login popup that opens half a second after the start. */
export async function closeGreeting(page: Page): Promise<void> {
  const popup = page.getByRole('dialog', { name: 'You need to be logged in' })
  await expect(popup).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(popup).toBeHidden()
}

/** Opens a page through the menu, which has to be opened first on a phone. */
export async function goTo(page: Page, name: 'Buy Pickers' | 'My Farm' | 'Profile'): Promise<void> {
  if (isPhone(page)) await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Game' }).getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

/** The balance of a wallet on the chain, in base units. */
export async function tokensOnChain(wallet: string): Promise<number> {
  const ask = async (method: string, params: unknown[]) => {
    const answer = await fetch(process.env.GAME_CHAIN_URL!, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return ((await answer.json()) as { result: unknown }).result
  }
  const mint = await ask('cottonMint', [])
  const config = { encoding: 'jsonParsed', commitment: 'finalized' }
  type Account = { account: { data: { parsed: { info: { tokenAmount: { uiAmount: number } } } } } }
  const found = (await ask('getTokenAccountsByOwner', [wallet, { mint }, config])) as { value: Account[] }
  return found.value.reduce((sum, { account }) => sum + account.data.parsed.info.tokenAmount.uiAmount, 0)
}
