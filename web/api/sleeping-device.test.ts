import './browser-stub.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { claimWorker } from '#contract/workers.ts'

const TWO_DAYS_MS = 48 * 3_600_000

/** When the device sleeps: while it waits for the answer, or before it repeats the call. */
let sleepsDuring: 'answer' | 'pause'

const sleepIf = (isNow: boolean): void => {
  if (isNow) vi.setSystemTime(Date.now() + TWO_DAYS_MS)
}

// The delays themselves are not waited for.
vi.mock('./pause.ts', () => ({
  pause: () => {
    sleepIf(sleepsDuring === 'pause')
    return Promise.resolve()
  },
}))

const { call } = await import('./call.ts')
const { startSession } = await import('./session.ts')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  startSession({ token: 'secret', walletAddress: 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi' })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each(['answer', 'pause'] as const)(
  'an action of a device that sleeps during the %s is not repeated when it wakes up',
  async (moment) => {
    sleepsDuring = moment
    const fetched = vi.fn(() => {
      sleepIf(moment === 'answer')
      return Promise.reject(new TypeError('Failed to fetch'))
    })
    vi.stubGlobal('fetch', fetched)
    await expect(call(claimWorker, { body: { workerId: 'kid-0001' } })).rejects.toMatchObject({
      code: 'timed_out',
      wasAnswered: false,
      message:
        'The game did not respond in time. It may have gone through. Trying again within a minute is safe: it counts only once.',
    })
    expect(fetched).toHaveBeenCalledTimes(1)
  },
)
