import { expect, test } from 'vitest'
import { formatListedAt } from './format-listed-at.ts'

const now = new Date('2026-01-20T12:00:00Z')
const when = (instant: string, locale = 'en-GB') => formatListedAt(instant, now, locale)

test('what is new says how long ago, what is old says the day, each in the language of the reader', () => {
  expect(when('2026-01-20T12:00:00Z')).toBe('this minute')
  expect(when('2026-01-20T11:55:00Z')).toBe('5 minutes ago')
  expect(when('2026-01-20T09:00:00Z')).toBe('3 hours ago')
  expect(when('2026-01-19T11:00:00Z')).toBe('yesterday')
  expect(when('2026-01-12T12:00:00Z')).toBe('12 Jan')
  expect(when('2025-11-12T12:00:00Z')).toBe('12 Nov 2025')
  expect(when('2026-01-20T09:00:00Z', 'de-DE')).toBe('vor 3 Stunden')
  expect(when('2026-01-12T12:00:00Z', 'de-DE')).toBe('12. Jan.')
})

test('yesterday is the day before by the calendar of the reader, not two days before', () => {
  const at = (day: number, hour: number) => new Date(2026, 0, day, hour)
  const listed = (day: number, hour: number) =>
    formatListedAt(at(day, hour).toISOString(), at(20, 1), 'en-GB')
  expect([listed(19, 0), listed(18, 23), listed(18, 2)]).toEqual(['yesterday', '18 Jan', '18 Jan'])
})

test('a listing from a moment that this clock has not reached yet is of this minute', () => {
  expect(when('2026-01-20T12:00:03Z')).toBe('this minute')
})
