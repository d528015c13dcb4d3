import '#web/api/browser-stub.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CONTINENTS } from '#game/continents.ts'

const { serverClock } = await import('#web/api/server-clock.ts')
const { endSession, startSession } = await import('#web/api/session.ts')
const { waitingCalls } = await import('#web/api/waiting-calls.ts')
const { celebrations, endCelebration } = await import('./celebrations.ts')
const { readAndCelebrate } = await import('./use-milestones.ts')

const ANA = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'
const BEN = '7fUAJdStEuGbc3sM84cKRL6yYaaSstyLSU4ve5oovLS7'
const EVE = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'

/** The facts of a player who has hired one kid. */
const FACTS = {
  workers: { kid: 1, grandma: 0, grandad: 0, bigman: 0 },
  available: { kid: 9, grandma: 9, grandad: 9, bigman: 9 },
  harvested: 0,
  hasSold: false,
  parcelIds: [],
  landOf: Object.fromEntries(CONTINENTS.map((code) => [code, 3])),
  countries: 21,
}

/** The game has granted these milestones, and answers a celebration like this. */
function stubGame(codes: readonly string[], celebrate: () => Response | Promise<Response>): void {
  const granted = codes.map((code) => ({ code, grantedAt: '2026-11-20T09:12:00.000Z' }))
  const board = { success: true, facts: FACTS, granted }
  vi.stubGlobal('fetch', (url: string) =>
    Promise.resolve(url === '/api/milestones' ? Response.json(board) : celebrate()),
  )
}

/** Reads the milestones, and returns those that are being celebrated. */
async function celebratedAfterRead(walletAddress: string): Promise<string[]> {
  await readAndCelebrate(walletAddress, new AbortController().signal)
  return celebrations.get().flatMap(({ milestones }) => milestones.map(({ code }) => code))
}

/** Whether the game was asked to celebrate what it had granted. The page ignores errors of that call. */
let wasAsked = false
const notAsked = (): Response => {
  wasAsked = true
  throw new Error('nothing is left to grant')
}

beforeEach(() => {
  wasAsked = false
  for (const { id } of celebrations.get()) endCelebration(id)
})
afterEach(() => {
  vi.unstubAllGlobals()
  endSession('logged-out')
})

test('a milestone that was granted without a response is celebrated at the next read, once', async () => {
  startSession({ token: 'of ana', walletAddress: ANA })
  // A proxy answers for the game, which has granted it.
  stubGame([], () => new Response('', { status: 500 }))
  expect(await celebratedAfterRead(ANA)).toEqual([])
  stubGame(['first-picker'], notAsked)
  expect(await celebratedAfterRead(ANA)).toEqual(['first-picker'])
  expect(await celebratedAfterRead(ANA)).toEqual(['first-picker'])
  expect(wasAsked).toBe(false)
})

test('a milestone that another window was granted after a refusal here is not celebrated here', async () => {
  startSession({ token: 'of ben', walletAddress: BEN })
  const busy = { success: false, code: 'busy', message: 'The game is busy.' }
  stubGame([], () => Response.json(busy, { status: 503 }))
  expect(await celebratedAfterRead(BEN)).toEqual([])
  stubGame(['first-picker'], notAsked)
  expect(await celebratedAfterRead(BEN)).toEqual([])
  expect(wasAsked).toBe(false)
})

test('a milestone that was granted just now has the time of the game, whatever the browser’s clock shows', async () => {
  const setServerClock = (serverSecondMs: number): void =>
    serverClock.addSample({ serverSecondMs, sentAtMs: Date.now(), receivedAtMs: Date.now() })
  startSession({ token: 'of ana', walletAddress: ANA })
  setServerClock(Date.UTC(2020, 0, 5, 9))
  stubGame([], () => Response.json({ success: true, granted: ['first-picker'] }))
  const { granted } = await readAndCelebrate(ANA, new AbortController().signal)
  setServerClock(Date.now())
  expect(granted.map(({ grantedAt }) => grantedAt)).toEqual([expect.stringContaining('2020-01-05')])
})

test('a celebration that the game answers late is not called a request that waits, because nothing was pressed', async () => {
  startSession({ token: 'of eve', walletAddress: EVE })
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<Response>()
  stubGame([], () => {
    asked.resolve()
    return answer.promise
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const celebrated = celebratedAfterRead(EVE)
  await asked.promise
  await vi.advanceTimersByTimeAsync(5_000)
  vi.useRealTimers()
  expect(waitingCalls.get()).toHaveLength(0)
  answer.resolve(Response.json({ success: true, granted: ['first-picker'] }))
  expect(await celebrated).toEqual(['first-picker'])
})
