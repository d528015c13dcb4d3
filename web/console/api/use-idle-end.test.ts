import '#web/api/browser-stub.ts'
import { expect, test } from 'vitest'
import { isEndingSoon } from './use-idle-end.ts'

const MINUTE_MS = 60_000

test('two minutes before a session without use ends, its page says so', () => {
  const idleMs = 30 * MINUTE_MS
  expect(isEndingSoon({ unusedMs: 28 * MINUTE_MS - 1, idleMs })).toBe(false)
  expect(isEndingSoon({ unusedMs: 28 * MINUTE_MS, idleMs })).toBe(true)
})
