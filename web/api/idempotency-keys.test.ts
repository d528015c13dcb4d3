import './browser-stub.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { claimWorker } from '#contract/workers.ts'

// The delays themselves are not waited for.
vi.mock('./pause.ts', () => ({ pause: () => Promise.resolve() }))

const { call } = await import('./call.ts')
const { startSession } = await import('./session.ts')

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['too many requests', 429, 'too_many_requests'],
  ['an expired login', 401, 'not_authenticated'],
])('an action without a response has the same key after a refusal for %s', async (_, status, code) => {
  const keys: (string | null)[] = []
  let answer = () => Promise.reject<Response>(new TypeError('Failed to fetch'))
  vi.stubGlobal('fetch', (_url: string, { headers }: { headers: Headers }) => {
    keys.push(headers.get('idempotency-key'))
    return answer()
  })
  const claim = () => {
    startSession({ token: 'secret', walletAddress: 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi' })
    return expect(call(claimWorker, { body: { workerId: `kid-${status}` } })).rejects.toThrow()
  }
  await claim()
  answer = () => Promise.resolve(Response.json({ success: false, code, message: 'Refused.' }, { status }))
  await claim()
  await claim()
  expect(keys).toHaveLength(8)
  expect(new Set(keys).size).toBe(1)
})
