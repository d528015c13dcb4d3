import { sumBytes, measureFirstLoad, type ResourceKind } from './measure-first-load.ts'
import { createFundedPlayer, playAs } from './funded-player.ts'
import { expect, isPhone, test } from './browser-test.ts'

type Budget = Partial<Record<ResourceKind | 'requests', number>>

// kB with gzip, and the number of requests. A newcomer waits for the first page; the others may add their own files.
const EVERY_PAGE: Budget = { requests: 66, js: 165, css: 22, art: 80, fonts: 55, data: 15 }
const BUDGETS: Record<string, Budget> = {
  '/': { requests: 25, js: 110, maps: 0, css: 10, art: 60, fonts: 55, data: 5 },
  '/buy-pickers': { ...EVERY_PAGE, maps: 0 },
  '/myfarm': { ...EVERY_PAGE, maps: 0 },
  '/profile': { ...EVERY_PAGE, maps: 0 },
  '/parcels': { ...EVERY_PAGE, maps: 0 },
  // The continent with the longest outlines, and the one with the most parcels.
  '/parcels/AS': { ...EVERY_PAGE, requests: 76, maps: 25 },
  '/parcels/AF': { ...EVERY_PAGE, requests: 76, maps: 25 },
}

for (const [path, budget] of Object.entries(BUDGETS)) {
  test(`the first load of ${path} is within its budget`, async ({ page, context }) => {
    test.skip(isPhone(page), 'A desktop window shows more.')
    if (path === '/myfarm' || path === '/profile') await playAs(context, await createFundedPlayer(0))
    const load = await measureFirstLoad(page, path)
    const kb = (kinds: readonly ResourceKind[]) => sumBytes(load, kinds).gzip / 1000
    expect(kb(['js']), 'the page has loaded at all').toBeGreaterThan(50)
    const { requests = 0, ...kilobytes } = budget
    const over = Object.entries(kilobytes).flatMap(([kind, most]) => {
      const came = kb([kind as ResourceKind])
      return came > most ? [`${kind}: ${came.toFixed(1)} kB instead of ${most}`] : []
    })
    if (load.requests > requests) over.push(`${load.requests} requests instead of ${requests}`)
    expect(over).toEqual([])
    expect(load.cls, 'nothing moves under the eyes').toBeLessThan(0.05)
  })
}
