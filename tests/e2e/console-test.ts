import type { Locator, Page } from '@playwright/test'
import { expect, test as browserTest } from './browser-test.ts'
import { type ConsoleGame, type OpenGame, openGameDatabase, operatorNamed } from './console-game.ts'
import { installPhantom } from './fake-phantom.ts'
import { askForGame } from './serve-game.ts'

export { expect }

const START_MS = 120_000

/** A test against the console of a real game, which all its stories share. The page has the wallet of `operator`. */
export const test = browserTest.extend<{ operator: string }, { game: OpenGame }>({
  game: [
    async ({}, use) => {
      const game = await askForGame<ConsoleGame>(process.env.CONSOLE_GAME!)
      const db = openGameDatabase(game)
      await use({ ...game, db })
      await db.end()
    },
    { scope: 'worker', timeout: START_MS },
  ],
  baseURL: async ({ game }, use) => use(game.consoleUrl),
  operator: ['Ana', { option: true }],
  page: async ({ page, operator }, use) => {
    await installPhantom(page, { accounts: [operatorNamed(operator)] })
    await use(page)
  },
})

/** Logs in with the wallet of the page. */
export async function logIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Phantom' }).click()
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
}

/** Opens an address of the console and logs in. */
export async function openConsole(page: Page, address = '/'): Promise<void> {
  await page.goto(address)
  await logIn(page)
}

/** The console in a browser of its own, with the wallet of another operator. `confirm` is when its owner confirms a request. */
export async function openAs(
  page: Page,
  name: string,
  address: string,
  confirm: () => Promise<void> = async () => {},
): Promise<Page> {
  const { viewport, isMobile, hasTouch, locale, timezoneId } = test.info().project.use
  const options = { viewport, isMobile, hasTouch, locale, timezoneId, reducedMotion: 'reduce' } as const
  const context = await page.context().browser()!.newContext(options)
  const other = await context.newPage()
  await installPhantom(other, { accounts: [operatorNamed(name)], confirm })
  await openConsole(other, new URL(address, page.url()).href)
  return other
}

/** Opens a page through the menu, which has to be opened first in a narrow window. */
export async function openPage(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) await menu.click()
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
}

/** Opens the dialog of an act, and gives the reason if the act has one. */
export async function openAct(page: Page, name: string, reason?: string): Promise<Locator> {
  await page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  if (reason !== undefined) await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason)
  return dialog
}

/** Goes from the open dialog of a signed act to its signature. Returns the message that was shown. */
export async function signAct(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Show the message' }).click()
  const message = dialog.getByRole('region', { name: 'Your wallet signs exactly this' })
  await expect(message).toContainText('Cotton Farm operator, ')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  const text = await message.innerText()
  await dialog.getByRole('button', { name: 'Sign with the wallet' }).click()
  return text
}

/** Expects the outcome of an act in its dialog, and closes it. The focus must not get lost. */
export async function closeWith(page: Page, outcome: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(outcome)).toBeVisible({ timeout: 30_000 })
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toBeHidden()
  await expect(page.locator(':focus')).toHaveCount(1)
}

/** The value of a fact by its name. */
export const factOf = (place: Page | Locator, name: string): Locator =>
  place
    .locator('dl > div', { has: pageOf(place).getByRole('term').getByText(name, { exact: true }) })
    .locator('dd')

const pageOf = (place: Page | Locator): Page => ('page' in place ? place.page() : place)
