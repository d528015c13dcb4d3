import { expect, test } from 'vitest'
import { formatEndFor, formatFor } from './format-at.ts'

test('a UTC day is named by its own date, whether its start, its end or an hour of it is given', () => {
  const fifth = formatFor('month')('2026-01-05T00:00:00.000Z')
  const sixth = formatFor('month')('2026-01-06T00:00:00.000Z')
  expect(fifth).not.toBe(sixth)
  expect(formatEndFor('month')('2026-01-06T00:00:00.000Z')).toBe(fifth)
  expect(formatEndFor('month')('2026-01-06T15:00:00.000Z')).toBe(sixth)
})

test('an hour is named by the time at which it ends', () => {
  const at = '2026-01-05T13:00:00.000Z'
  expect(formatEndFor('day')(at)).toBe(formatFor('day')(at))
})
