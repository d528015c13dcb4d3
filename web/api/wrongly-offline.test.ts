import './browser-stub.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { claimWorker } from '#contract/workers.ts'
import { baseUnits } from '#game/cotton.ts'

// The delays themselves are not waited for.
vi.mock('./pause.ts', () => ({ pause: () => Promise.resolve() }))

const { call } = await import('./call.ts')
const { CallError } = await import('./call-error.ts')
const { startSession } = await import('./session.ts')

beforeEach(() => {
  startSession({ token: 'secret', walletAddress: 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi' })
  // For a game on the same computer a browser may be wrong.
  vi.stubGlobal('navigator', { onLine: false })
})

afterEach(() => vi.unstubAllGlobals())

const refusal = (calling: Promise<unknown>) =>
  calling.then(
    () => expect.fail('it was answered'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(CallError)
      return error as InstanceType<typeof CallError>
    },
  )

test('an action of a browser that is wrong about being offline has the same key again', async () => {
  const keys: (string | null)[] = []
  const answers = [
    () => Promise.reject(new TypeError('Failed to fetch')),
    () => Promise.resolve(Response.json({ success: true, claimedAmount: 14, newBalance: 14 })),
  ]
  vi.stubGlobal('fetch', (_url: string, { headers }: { headers: Headers }) => {
    keys.push(headers.get('idempotency-key'))
    return answers.shift()!()
  })
  const claim = () => call(claimWorker, { body: { workerId: 'kid-0012' } })
  expect((await refusal(claim())).code).toBe('offline')
  await claim()
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
})

test('a withdrawal that waited for an answer was sent, although the browser says that it is offline', async () => {
  const late = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
  vi.stubGlobal('fetch', () => {
    late.abort()
    return Promise.reject(late.signal.reason)
  })
  const body = { amount: baseUnits(1n), message: '', signature: '' }
  expect(await refusal(call(requestWithdrawal, { body }))).toMatchObject({
    code: 'timed_out',
    message:
      'The game did not respond in time. It may have gone through. Check your history before you try again.',
  })
})
