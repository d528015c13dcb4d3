import { expect, type Page } from '@playwright/test'

type Noted = { notedToasts: { text: string; at: number }[] }

/**
 * Puts the page's time into the story's hands, and notes when each toast came. Time runs as usual until `holdTime`.
 */
export async function takeTime(page: Page, start: Date = new Date()): Promise<void> {
  await page.clock.install({ time: start })
  await page.addInitScript(() => {
    const noted: Noted['notedToasts'] = []
    Object.assign(window, { notedToasts: noted })
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) {
          if (node instanceof HTMLElement && node.closest('section[popover]'))
            noted.push({ text: node.textContent ?? '', at: Date.now() })
        }
      }
    }).observe(document, { childList: true, subtree: true })
  })
}

/** From here on time passes only when the story says so. Answers the instant, in ms. */
export async function holdTime(page: Page): Promise<number> {
  const at = (await page.evaluate(() => Date.now())) + 500
  await page.clock.pauseAt(at)
  return at
}

/** Holds that a toast that is on the screen stays for this long and no longer. Needs `takeTime` before the first page. */
export async function expectToStay(page: Page, text: string | RegExp, ms: number): Promise<void> {
  const toast = page.getByRole('region', { name: 'Notifications' }).getByText(text)
  await expect(toast).toBeVisible()
  const now = await holdTime(page)
  const noted = await page.evaluate(() => (window as unknown as Noted).notedToasts)
  const { at } = noted.findLast((each) =>
    typeof text === 'string' ? each.text.includes(text) : text.test(each.text),
  )!
  await page.clock.runFor(at + ms - 100 - now)
  await expect(toast).toBeVisible()
  await page.clock.runFor(250)
  await expect(toast).toBeHidden()
  await page.clock.resume()
}
