import { expect, type Locator, type Page } from '@playwright/test'

type Noted = { notedToasts: { text: string; at: number }[] }

/**
 * Replaces the page's clock and records when each toast appears. Time runs as usual until `pauseClock`.
 */
export async function installClock(page: Page): Promise<void> {
  await page.clock.install({ time: new Date() })
  await page.addInitScript(() => {
    const noted: Noted['notedToasts'] = []
    Object.assign(window, { notedToasts: noted })
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) {
          if (node instanceof HTMLElement && node.closest('[aria-label="Notifications"]'))
            noted.push({ text: node.textContent ?? '', at: Date.now() })
        }
      }
    }).observe(document, { childList: true, subtree: true })
  })
}

/** Stops the clock: from here on the test advances it. */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2_000)
}

/**
 * Acts, and advances the clock until the toast is visible. The clock is stopped then, so the toast stays until
 * `page.clock.resume()`. Needs `installClock` before the first page.
 */
export async function stopToastTimer(page: Page, toast: Locator, act: () => Promise<void>): Promise<void> {
  await pauseClock(page)
  await act()
  for (let round = 0; round < 300 && !(await toast.isVisible()); round += 1) await page.clock.runFor(10)
  await expect(toast).toBeVisible()
}

/**
 * Expects that an action shows a toast for exactly this long. The clock is stopped meanwhile, so that a slow machine is
 * not too late. Needs `installClock` before the first page.
 */
export async function expectToastToStay(
  page: Page,
  { text, ms, when }: { text: string; ms: number; when: () => Promise<void> },
): Promise<void> {
  const toast = page.getByRole('region', { name: 'Notifications' }).getByText(text, { exact: true })
  await stopToastTimer(page, toast, when)
  const { at, now } = await page.evaluate((wanted) => {
    const { notedToasts } = window as unknown as Noted
    return { at: notedToasts.findLast((each) => each.text.includes(wanted))!.at, now: Date.now() }
  }, text)
  await page.clock.runFor(at + ms - 100 - now)
  await expect(toast).toBeVisible()
  await page.clock.runFor(250)
  await expect(toast).toBeHidden()
  await page.clock.resume()
}
