import type { Locator, Page } from '@playwright/test'
import { expect, test as browserTest } from './browser-test.ts'
import { type StandInConsole, type StandInOperator, startConsole } from './console-stand-in.ts'

export { expect }

const EVERY_RIGHT = ['view', 'decide', 'adjust', 'settings'] as const

/** Two operators with every right, and one who can only read. The first wallets that log in get these names in this order. */
export const OPERATORS: readonly StandInOperator[] = [
  { name: 'Ana', rights: EVERY_RIGHT },
  { name: 'Ben', rights: EVERY_RIGHT },
]

/** A test against the pages of the console and a stand-in of its role. */
export const test = browserTest.extend<{ operators: readonly StandInOperator[]; standIn: StandInConsole }>({
  operators: [OPERATORS, { option: true }],
  standIn: async ({ operators }, use) => {
    const standIn = await startConsole(operators)
    await use(standIn)
    await standIn.close()
  },
  baseURL: async ({ standIn }, use) => use(standIn.url),
})

/** Opens an address of the console and logs in with the test wallet of the browser. */
export async function openConsole(page: Page, address = '/'): Promise<void> {
  await page.goto(address)
  await page.getByRole('button', { name: 'Use the test wallet of this browser' }).click()
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
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

/** Goes from the open dialog of a signed act to its signature. Returns the message that was shown. */
export async function signAct(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Show the message' }).click()
  const message = dialog.getByRole('region', { name: 'Your wallet signs exactly this' })
  await expect(message).toContainText('Cotton Farm operator, ')
  const text = await message.innerText()
  await dialog.getByRole('button', { name: 'Sign with the wallet' }).click()
  return text
}

/** Expects the outcome of an act in its dialog, and closes it. */
export async function closeWith(page: Page, outcome: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(outcome)).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toBeHidden()
}

/** The value of a fact by its name. */
export const factOf = (place: Page | Locator, name: string): Locator =>
  place
    .locator('dl > div', { has: pageOf(place).getByRole('term').getByText(name, { exact: true }) })
    .locator('dd')

const pageOf = (place: Page | Locator): Page => ('page' in place ? place.page() : place)
