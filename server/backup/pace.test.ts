import { expect, test } from 'vitest'
import { restMs } from './pace.ts'

test('a backup gets 3 % of the processors at first, and more the longer its snapshot is open', () => {
  expect(restMs({ cpuMs: 60, elapsedMs: 0, cores: 2 })).toBeCloseTo(1_000)
  expect(restMs({ cpuMs: 60, elapsedMs: 1_000, cores: 2 })).toBe(0)
  expect(restMs({ cpuMs: 60, elapsedMs: 0, cores: 8 })).toBeCloseTo(250)
  // 10 GB cost 200 s: 20 ms for each MB.
  expect(restMs({ cpuMs: 200_000, elapsedMs: 10 * 60_000, cores: 2 })).toBe(0)
  expect(restMs({ cpuMs: 200_000, elapsedMs: 8 * 60_000, cores: 2 })).toBeGreaterThan(0)
})
