import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'

export { expect }

/**
 * A story runs on the started game. It fails by itself where the page logs an error: an exception, a blocked
 * resource, a broken policy.
 */
export const test = base.extend<{ complaints: string[]; quiet: void }>({
  baseURL: async ({}, use) => use(process.env.GAME_URL),
  complaints: async ({}, use) => use([]),
  quiet: [
    async ({ page, complaints }, use) => {
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => {
        // A refused call is logged by the browser itself; the story looks at what the player is told.
        const refusedCall = message.text().startsWith('Failed to load resource')
        if (message.type() === 'error' && !refusedCall) complaints.push(message.text())
      })
      await use()
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

/** For a story whose point has nothing to do with the layout: it runs on the desktop only. */
export const DESKTOP_ONLY = { tag: '@once' }

/** Is this the phone's layout? */
export const isPhone = (page: Page): boolean => page.viewportSize()!.width <= 768

/** What axe finds against the rules of these tags. */
export async function findViolations(page: Page, tags: string[]): Promise<string[]> {
  // Without frames axe need not open a page of its own, to put the findings of several together.
  expect(page.frames()).toHaveLength(1)
  const { violations } = await new AxeBuilder({ page }).withTags(tags).setLegacyMode().analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`)
}

/** No violation of WCAG 2.2 AA that a machine can find. */
export async function expectAccessible(page: Page): Promise<void> {
  const found = await findViolations(page, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
  expect(found).toEqual([])
}

/** What a browser without a network logs by itself whenever the page tries its line again, however long it is without. */
export function ignoreOfflineErrors(complaints: string[]): void {
  const others = complaints.filter((each) => !/WebSocket.*ERR_INTERNET_DISCONNECTED/.test(each))
  complaints.splice(0, complaints.length, ...others)
}

/** The app has taken over what the build has drawn. */
export async function expectHydrated(page: Page): Promise<void> {
  await expect(page.locator('#root .for-visitor, #root .for-player')).toHaveCount(0)
}

/** The page scrolls up and down only. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(content).toBeLessThanOrEqual(window!)
}

/** Logs in with the local test wallet by way of the popup that greets a newcomer. */
export async function logIn(page: Page): Promise<void> {
  const popup = page.getByRole('dialog', { name: 'You need to be logged in' })
  await popup.getByRole('button', { name: 'Play with a test wallet' }).click()
  await expect(page.getByText('Logged in', { exact: true })).toBeVisible()
  await expect(popup).toBeHidden()
}

/** Closes the popup that greets a visitor half a second after the start. */
export async function closeGreeting(page: Page): Promise<void> {
  const popup = page.getByRole('dialog', { name: 'You need to be logged in' })
  await expect(popup).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(popup).toBeHidden()
}

/** Goes to a page by the menu, as a player does: on a phone it has to be opened first. */
export async function goTo(page: Page, name: 'Buy Pickers' | 'My Farm' | 'Profile'): Promise<void> {
  if (isPhone(page)) await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Game' }).getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

/** Base units of the test token that a wallet holds on the chain itself. */
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
