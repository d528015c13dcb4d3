import '#web/api/browser-stub.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { serverClock } from '#web/api/server-clock.ts'
import { toasts } from '#web/ui/toast-store.ts'
import { warnBeforeEnd } from './warn-before-end.ts'

const MINUTE_MS = 60_000

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('two minutes before a session ends, its page says so once, until it is left', () => {
  vi.useFakeTimers()
  vi.spyOn(serverClock, 'now').mockImplementation(() => new Date())
  const stop = warnBeforeEnd(new Date(Date.now() + 10 * MINUTE_MS).toISOString())
  vi.advanceTimersByTime(8 * MINUTE_MS - 1)
  expect(toasts.get()).toEqual([])
  vi.advanceTimersByTime(MINUTE_MS)
  expect(toasts.get()).toMatchObject([{ kind: 'warning', title: 'You will be logged out soon' }])
  stop()
  expect(toasts.get()).toEqual([])
  vi.advanceTimersByTime(2 * MINUTE_MS)
  expect(toasts.get()).toEqual([])
})
