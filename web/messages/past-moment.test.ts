import { expect, test } from 'vitest'
import { formatMoment } from './locale.ts'
import { formatPastMoment } from './past-moment.ts'

const now = new Date(2026, 0, 5)
const written = (at: Date) => formatPastMoment(at.toISOString(), now)

test('a moment has its year if that is not the current one, by the calendar of the reader', () => {
  const thisYear = new Date(2026, 0, 1, 0, 30)
  expect(written(thisYear)).toBe(formatMoment(thisYear.toISOString()))
  expect(written(thisYear)).not.toContain('2026')
  expect(written(new Date(2025, 11, 31, 23, 30))).toMatch(/\b31\b.*\b2025\b.*30/)
  expect(written(new Date(2024, 0, 5))).toContain('2024')
})

test('a moment that cannot be read is a dash', () => {
  expect(formatPastMoment('–', now)).toBe('–')
})
