import '#web/api/browser-stub.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { exportJournals } from '#contract/console/ledger.ts'
import { readHealth } from '#contract/console/health.ts'
import { call, download } from './call.ts'
import { session, startSession } from './session.ts'

beforeEach(({ onTestFinished }) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  // The timer of a signal is Node's own.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const late = new AbortController()
    setTimeout(() => late.abort(), ms)
    return late.signal
  })
})

test('a file may take longer than a call', async () => {
  const signals: unknown[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_address, init) => {
    signals.push(init?.signal)
    return new Response('time (UTC)\r\n')
  })
  const file = await download(exportJournals, { query: {} })
  expect(await file.text()).toBe('time (UTC)\r\n')
  vi.advanceTimersByTime(600_000)
  expect(signals).toMatchObject([{ aborted: false }])
})

test('a file that does not begin in time is given up', async () => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    (_address, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  )
  const given = expect(download(exportJournals, { query: {} })).rejects.toMatchObject({ code: 'unreachable' })
  vi.advanceTimersByTime(20_000)
  await given
})

test('a call of an earlier session that is refused late does not end the session that began meanwhile', async () => {
  const items = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  })
  const operator = { wallet: 'ana', name: 'Ana', rights: [] }
  const refusal = { success: false, code: 'not_logged_in', message: 'Log in.' }
  const answer = Promise.withResolvers<Response>()
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => answer.promise)
  startSession({ token: 'the first', operator, idleMs: 60_000 })
  const late = expect(call(readHealth, { query: {} })).rejects.toMatchObject({ code: 'not_logged_in' })
  startSession({ token: 'the second', operator, idleMs: 60_000 })
  answer.resolve(Response.json(refusal, { status: 401 }))
  await late
  expect(session.get().token).toBe('the second')
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(refusal, { status: 401 }))
  await expect(call(readHealth, { query: {} })).rejects.toMatchObject({ code: 'not_logged_in' })
  expect(session.get()).toMatchObject({ token: null, ended: 'expired' })
  vi.unstubAllGlobals()
})
