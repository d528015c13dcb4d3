import '#web/api/browser-stub.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { exportJournals } from '#contract/console/ledger.ts'
import { download } from './call.ts'

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
