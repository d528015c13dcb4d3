import { type Budget, sumBytes, measureFirstLoad, type ResourceKind } from './measure-first-load.ts'
import { createFundedPlayer, playAs } from './funded-player.ts'
import { expect, settle, test, VARIANT, variantFrom } from './browser-test.ts'
import { DISTINCT_PAGES, PAGE_ROWS } from './page-table.ts'

/** What every page but the first may transfer. */
const EVERY_PAGE: Budget = { requests: 70, js: 172, css: 24, art: 80, fonts: 55, data: 15 }

const PLAYER_PATHS = new Set(PAGE_ROWS.filter(({ forPlayers }) => forPlayers).map(({ at }) => at))

const BUDGETS = DISTINCT_PAGES.flatMap(({ at, budget, budgets = {} }) =>
  Object.entries(budget === null ? budgets : { [at]: budget, ...budgets }),
)

for (const [index, [path, own]] of BUDGETS.entries()) {
  // Only on a desktop, whose window shows more.
  test(`the first load of ${path} is within its budget`, variantFrom(3, index), async ({ page, context }) => {
    const isVisitor = !PLAYER_PATHS.has(path)
    if (!isVisitor) await playAs(context, await createFundedPlayer(0))
    const load = await measureFirstLoad(page, path, isVisitor)
    const kb = (kinds: readonly ResourceKind[]) => sumBytes(load, kinds).gzip / 1000
    expect(kb(['js']), 'the page has loaded at all').toBeGreaterThan(50)
    const { requests = 0, ...kilobytes } = { ...EVERY_PAGE, ...own }
    const over = Object.entries(kilobytes).flatMap(([kind, most]) => {
      const came = kb([kind as ResourceKind])
      return came > most ? [`${kind}: ${came.toFixed(1)} kB instead of ${most}`] : []
    })
    if (load.requests > requests) over.push(`${load.requests} requests instead of ${requests}`)
    expect(over).toEqual([])
    expect(load.cls, 'nothing moves under the eyes').toBeLessThan(0.05)
  })
}

for (const path of ['/', '/buy-pickers', '/myfarm', '/parcels/EU']) {
  test(
    `${path} starts without the data of Intl, which a phone loads for 0.1 s`,
    VARIANT,
    async ({ page, context }) => {
      await playAs(context, await createFundedPlayer(0))
      await page.addInitScript(recordFormats)
      await page.goto(path)
      await settle(page)
      expect(await page.evaluate(() => (globalThis as { formats?: string[] }).formats)).toEqual([])
    },
  )
}

/** Records in `formats` what creates a format, from the next page on. */
function recordFormats(): void {
  const formats: string[] = []
  Object.assign(globalThis, { formats })
  const record = <T extends Function>(name: string, made: T): T =>
    new Proxy(made, {
      apply: (target, self, args) => (formats.push(name), Reflect.apply(target, self, args)),
      construct: (target, args) => (formats.push(name), Reflect.construct(target, args)),
    })
  Intl.NumberFormat = record('NumberFormat', Intl.NumberFormat)
  Intl.DateTimeFormat = record('DateTimeFormat', Intl.DateTimeFormat)
  Intl.Collator = record('Collator', Intl.Collator)
  for (const prototype of [Number.prototype, BigInt.prototype, Date.prototype])
    prototype.toLocaleString = record('toLocaleString', prototype.toLocaleString)
}
