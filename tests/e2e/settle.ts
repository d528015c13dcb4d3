import { expect, type Page, type Request } from '@playwright/test'

/** The requests of each page that have not ended. */
const openRequests = new WeakMap<Page, Set<Request>>()

/** Counts the requests of a page from now on, as `settle` needs it. */
export function trackRequests(page: Page): void {
  const open = new Set<Request>()
  openRequests.set(page, open)
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
}

/** Waits until the app has hydrated the prerendered page. */
export async function expectHydrated(page: Page): Promise<void> {
  await expect(page.locator('#root .for-visitor, #root .for-player')).toHaveCount(0)
}

/** Waits until what the page has received is rendered. */
export const waitForRender = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await new Promise((next) => requestAnimationFrame(next))
    await new Promise((next) => requestAnimationFrame(next))
  })

/**
 * Waits until the app has hydrated the page, all its requests have ended, and their results are rendered. Needs
 * `trackRequests`, which `test` calls for every page of its context. Requests that never end are not waited for.
 */
export async function settle(page: Page, neverEnds: (url: string) => boolean = () => false): Promise<void> {
  await expectHydrated(page)
  const requests = openRequests.get(page)!
  const open = () => [...requests].map((request) => request.url()).filter((url) => !neverEnds(url))
  // A rendered result may request more.
  do {
    await expect.poll(open, { intervals: [20] }).toEqual([])
    await waitForRender(page)
  } while (open().length > 0)
}
