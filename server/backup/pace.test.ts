import { expect, test } from 'vitest'
import { restMs } from './pace.ts'

test('a backup gets 6 % of the processors at first, and more the longer its snapshot is open', () => {
  expect(restMs({ cpuMs: 120, elapsedMs: 0, cores: 2 })).toBeCloseTo(1_000)
  expect(restMs({ cpuMs: 120, elapsedMs: 1_000, cores: 2 })).toBe(0)
  expect(restMs({ cpuMs: 120, elapsedMs: 0, cores: 8 })).toBeCloseTo(250)
  // The work of 10 GB is done within six minutes.
  expect(restMs({ cpuMs: 150_000, elapsedMs: 6 * 60_000, cores: 2 })).toBe(0)
  expect(restMs({ cpuMs: 150_000, elapsedMs: 4 * 60_000, cores: 2 })).toBeGreaterThan(0)
})
