import type { Page, WebSocketRoute } from '@playwright/test'
import { ServerMessageSchema } from '#contract/realtime.ts'
import type { RouteName } from '#contract/routes.ts'
import {
  expect,
  expectHydrated,
  settle,
  waitForRender,
  DESKTOP_ONLY,
  test,
  variantFrom,
} from './browser-test.ts'
import { PAGE_ROWS } from './page-table.ts'
import {
  RESPONSES,
  damageField,
  FRAMES,
  ROUTE_NAMES,
  playWithResponses,
  roundsOf,
  routeOf,
  addDamagedVariants,
} from './response-fixtures.ts'

const DAMAGE_KINDS = ['missing', 'null'] as const

type Damage = (name: string, whole: unknown) => unknown

/** Passes every response and frame through `damaged`. Returns a function that sends the frames. */
async function stubAll(page: Page, damaged: Damage, calledRoutes: Set<string>): Promise<() => void> {
  await playWithResponses(page, (name, whole) => {
    calledRoutes.add(name)
    return damaged(name, whole)
  })
  let connection: WebSocketRoute | undefined
  await page.routeWebSocket('**/ws', (socket) => {
    connection = socket
  })
  // Images and sounds do not matter here.
  await page.route(/\.(webp|svg|mp3|ogg|m4a|woff2)$/, (route) => route.abort())
  return () => {
    for (const [index, frame] of FRAMES.entries())
      connection?.send(JSON.stringify(damaged(`frame ${index}`, frame)))
  }
}

/** Raises all versions, because the page ignores frames that are not newer. */
function newer(value: unknown, round: number): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((each) => newer(each, round))
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === 'version' && typeof each === 'number' ? each + round * 10 : newer(each, round),
    ]),
  )
}

/** Longer than any unused response stays in the cache. */
const CACHE_EXPIRED_MS = 3_600_000

/** Navigates within the app, without a reload. */
const navigate = (page: Page, to: string): Promise<void> =>
  page.evaluate((address) => {
    window.history.pushState({}, '', address)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, to)

const EVERYWHERE: readonly RouteName[] = ['readUser']

/** `npm run test:damage` tries every round of fields. Otherwise each page tries a third of them, and the next page others. */
const ROUNDS_APART = process.env.DAMAGE === 'whole' ? 1 : 3

const VISITS = PAGE_ROWS.flatMap(({ at, visits }) => visits.map((visit) => ({ at, ...visit })))

// The size of the window does not matter, and a small one renders faster.
test.use({ viewport: { width: 900, height: 500 } })

test('the responses of the following tests are complete before they are damaged', DESKTOP_ONLY, () => {
  for (const name of ROUTE_NAMES)
    expect(routeOf(name).reply.safeParse(RESPONSES[name]).error, name).toBeUndefined()
  for (const frame of FRAMES) expect(ServerMessageSchema.safeParse(frame).error, frame.type).toBeUndefined()
})

for (const [pageAt, { at: path, reads, act }] of VISITS.entries()) {
  const title = `a response or frame without any one field does not break ${path}`
  test(title, variantFrom(1, pageAt), async ({ page, complaints }) => {
    test.setTimeout(240_000)
    let round = 0
    let damaged: Damage = (_, whole) => whole
    const calledRoutes = new Set<string>()
    const sendFrames = await stubAll(page, (name, whole) => newer(damaged(name, whole), round), calledRoutes)
    await page.clock.install()
    await page.goto('/buy-pickers')
    await expectHydrated(page)
    await navigate(page, '/nowhere')
    const broken: string[] = []
    const expected = [...EVERYWHERE, ...(reads ?? [])]
    const visit = async (what: string): Promise<void> => {
      round += 1
      calledRoutes.clear()
      // All earlier responses have expired by now.
      await page.clock.fastForward(CACHE_EXPIRED_MS)
      await navigate(page, path)
      await expect
        .poll(() => expected.filter((name) => !calledRoutes.has(name)), {
          intervals: [20],
          message: what,
        })
        .toEqual([])
      if (!reads) await settle(page)
      sendFrames()
      await waitForRender(page)
      const stumbled = page.getByText('Something broke on this page')
      if (!(await stumbled.isVisible())) await act?.(page)
      await waitForRender(page)
      if ((await stumbled.isVisible()) || complaints.length > 0) {
        broken.push(`${what}: ${complaints.splice(0).join(' / ')}`)
      }
      await navigate(page, '/nowhere')
    }

    await visit('nothing')
    expect(broken).toEqual([])
    const seen = Object.entries(RESPONSES).filter(([name]) => calledRoutes.has(name))
    damaged = (_, whole) => addDamagedVariants(whole)
    await visit('elements of lists')
    const frames = FRAMES.map((frame, index) => [`frame ${index}`, frame] as const)
    const sources = [...seen, ...frames].map(([name, whole]) => ({ name, rounds: roundsOf(whole) }))
    const most = Math.max(...sources.map(({ rounds }) => rounds.length))
    for (let at = pageAt % ROUNDS_APART; at < most; at += ROUNDS_APART) {
      // Half of the fields are missing and half are null; list elements have both.
      const lacks = sources.flatMap(({ name, rounds }, index) =>
        (rounds[at] ?? []).map((place, nth) => ({ name, place, how: DAMAGE_KINDS[(at + index + nth) % 2]! })),
      )
      damaged = (name, whole) =>
        lacks
          .filter((lack) => lack.name === name)
          .reduce((value, { place, how }) => damageField(value, place, how), whole)
      await visit(lacks.map(({ name, place, how }) => `${name} ${place.join('.')} ${how}`).join(', '))
    }
    expect(broken).toEqual([])
  })
}
