import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, type Page, type Response } from '@playwright/test'
import { settle, trackRequests } from './settle.ts'

const BUILD = resolve(import.meta.dirname, '../../.build/web')

/** The kinds of files of a page. `maps` are the outlines of a continent's land, `data` the responses of the API. */
export const RESOURCE_KINDS = ['js', 'maps', 'css', 'art', 'fonts', 'data', 'page'] as const
export type ResourceKind = (typeof RESOURCE_KINDS)[number]

/** At most this many kB with gzip, and this many requests. */
export type Budget = Partial<Record<ResourceKind | 'requests', number>>

/** Bytes on the wire, with gzip and with Brotli. */
export type Bytes = { gzip: number; br: number }

export type FirstLoad = {
  requests: number
  bytes: Record<ResourceKind, Bytes>
  /** Cumulative layout shift, as browsers compute it. */
  cls: number
}

/** Opens a page, waits until it has loaded everything, and counts the transferred bytes. `isVisitor` waits for the login popup. */
export async function measureFirstLoad(page: Page, url: string, isVisitor: boolean): Promise<FirstLoad> {
  const responses: Response[] = []
  trackRequests(page)
  page.on('response', (response) => responses.push(response))
  await page.addInitScript(watchLayoutShifts)
  await page.goto(url)
  await settle(page)
  if (isVisitor) await expect(page.getByRole('dialog', { name: 'You need to be logged in' })).toBeVisible()
  await settle(page)
  const bytes = Object.fromEntries(
    RESOURCE_KINDS.map((kind) => [kind, { gzip: 0, br: 0 }]),
  ) as FirstLoad['bytes']
  for (const response of responses) {
    const size = await sizeOf(response)
    const sum = bytes[kindOf(response)]
    sum.gzip += size.gzip
    sum.br += size.br
  }
  const cls = await readLayoutShift(page)
  return { requests: responses.length, bytes, cls }
}

/** The sum of the bytes of some kinds. */
export function sumBytes({ bytes }: FirstLoad, kinds: readonly ResourceKind[] = RESOURCE_KINDS): Bytes {
  return {
    gzip: kinds.reduce((sum, kind) => sum + bytes[kind].gzip, 0),
    br: kinds.reduce((sum, kind) => sum + bytes[kind].br, 0),
  }
}

/** Records the layout shift in `layoutShift`, from the next page on. */
export function watchLayoutShifts(): void {
  const world = globalThis as { layoutShift?: number }
  world.layoutShift = 0
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      if (!entry.hadRecentInput) world.layoutShift! += entry.value
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** The layout shift of a page that records it. */
export async function readLayoutShift(page: Page): Promise<number> {
  const shift = await page.evaluate(() => (globalThis as { layoutShift?: number }).layoutShift)
  if (shift === undefined) throw new Error('The page does not record its layout shift.')
  return shift
}

function kindOf(response: Response): ResourceKind {
  const { pathname } = new URL(response.url())
  if (/^\/assets\/[a-z]{2}-[\w-]{8}\.js$/.test(pathname)) return 'maps'
  if (pathname.endsWith('.js')) return 'js'
  if (pathname.endsWith('.css')) return 'css'
  if (pathname.endsWith('.woff2')) return 'fonts'
  if (/\.(svg|webp|png|avif|jpg|ico)$/.test(pathname)) return 'art'
  return pathname.startsWith('/api/') ? 'data' : 'page'
}

// Build files are sent precompressed or uncompressed, responses uncompressed.
async function sizeOf(response: Response): Promise<Bytes> {
  const kind = kindOf(response)
  if (kind === 'data') {
    const { length } = await response.body()
    return { gzip: length, br: length }
  }
  const { pathname } = new URL(response.url())
  const file = join(BUILD, kind === 'page' ? `pages/${pathname.slice(1) || 'index'}.html` : pathname)
  const plain = statSync(file).size
  const compressed = (suffix: string) =>
    statSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size ?? plain
  return { gzip: compressed('.gz'), br: compressed('.br') }
}
