import { expect, test } from 'vitest'
import { formatListedAt } from './format-listed-at.ts'

/** An instant by the clock of the reader, wherever that is. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 0, day, hour, minute).toISOString()

const now = new Date(at(20, 12))
const when = (instant: string, locale = 'en-GB') => formatListedAt(instant, now, locale)

test('what is new says how long ago, what is old says the day, each in the language of the reader', () => {
  expect(when(at(20, 12))).toBe('this minute')
  expect(when(at(20, 11, 55))).toBe('5 minutes ago')
  expect(when(at(20, 9))).toBe('3 hours ago')
  expect(when(at(19, 11))).toBe('yesterday')
  expect(when(at(12, 12))).toBe('12 Jan')
  expect(when(new Date(2025, 10, 12).toISOString())).toBe('12 Nov 2025')
  expect(when(at(20, 9), 'de-DE')).toBe('vor 3 Stunden')
  expect(when(at(12, 12), 'de-DE')).toBe('12. Jan.')
})

test('yesterday is the day before by the calendar of the reader, not two days before', () => {
  const listed = (day: number, hour: number) => formatListedAt(at(day, hour), new Date(at(20, 1)), 'en-GB')
  expect([listed(19, 0), listed(18, 23), listed(18, 2)]).toEqual(['yesterday', '18 Jan', '18 Jan'])
})

test('a listing from a moment that this clock has not reached yet is of this minute', () => {
  expect(when(new Date(now.getTime() + 3_000).toISOString())).toBe('this minute')
})
