import './browser-stub.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { claimWorker } from '#contract/workers.ts'

const HOUR_MS = 3_600_000

/** When the device sleeps, and for how long: while it waits for the answer, or before it repeats the call. */
let sleep: { during: 'answer' | 'pause'; ms: number }

const sleepIf = (moment: 'answer' | 'pause'): void => {
  if (moment === sleep.during) vi.setSystemTime(Date.now() + sleep.ms)
}

// The delays themselves are not waited for.
vi.mock('./pause.ts', () => ({
  pause: () => {
    sleepIf('pause')
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

const IN_DOUBT = 'The game did not respond in time. It may have gone through.'
const MAY_REPEAT = 'Trying again within a minute is safe: it counts only once, unless you reload the page.'
const CHECK_FIRST = 'Check your history before you try again.'

test.each([
  ['answer', 1, MAY_REPEAT, 1],
  ['answer', 48, CHECK_FIRST, 2],
  ['pause', 48, CHECK_FIRST, 2],
] as const)(
  'an action of a device that sleeps during the %s for %i h is not repeated when it wakes up, and its message is true',
  async (during, hours, advice, keyCount) => {
    sleep = { during, ms: hours * HOUR_MS }
    const keys: (string | null)[] = []
    vi.stubGlobal('fetch', (_url: string, { headers }: { headers: Headers }) => {
      keys.push(headers.get('idempotency-key'))
      sleepIf('answer')
      return Promise.reject(new TypeError('Failed to fetch'))
    })
    const claim = () => call(claimWorker, { body: { workerId: `kid-${during}-${hours}` } })
    await expect(claim()).rejects.toMatchObject({
      code: 'timed_out',
      wasAnswered: false,
      message: `${IN_DOUBT} ${advice}`,
    })
    expect(keys).toHaveLength(1)
    await expect(claim()).rejects.toMatchObject({ code: 'timed_out' })
    // The game has removed the key after two days. Another one is as good, and the message has warned of it.
    expect([keys.length, new Set(keys).size]).toEqual([2, keyCount])
  },
)
