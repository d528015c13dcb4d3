import { expect, test } from 'vitest'
import { restMs } from './pace.ts'

test('compressing and checking a backup uses 3 % of the processors', () => {
  expect(restMs({ cpuMs: 60, elapsedMs: 0, cores: 2 })).toBeCloseTo(1_000)
  expect(restMs({ cpuMs: 60, elapsedMs: 1_000, cores: 2 })).toBe(0)
  expect(restMs({ cpuMs: 60, elapsedMs: 0, cores: 8 })).toBeCloseTo(250)
})
