import '#web/api/browser-stub.ts'
import { beforeEach, expect, test } from 'vitest'

const { AWAY_MS, loadLastSeen, findAbsenceStart, storeLastSeen } = await import('./last-seen.ts')

const [ANA, BOB] = [
  'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi',
  '4Nd1mYwJfYQ3yJ3n6YkVqLZ4uSGmZ3mHkYyM8x5o1Zqb',
]
const NOON = Date.parse('2026-11-20T12:00:00.000Z')

beforeEach(() => localStorage.clear())

test('a new player has not been away, and is recorded at the first visit', () => {
  expect(findAbsenceStart(ANA, NOON)).toBeNull()
  expect(loadLastSeen(ANA)).toBe(NOON)
})

test('a player who returns within an hour has not been away', () => {
  storeLastSeen(ANA, NOON)
  expect(findAbsenceStart(ANA, NOON + AWAY_MS - 1)).toBeNull()
  expect(findAbsenceStart(ANA, NOON + 2 * AWAY_MS - 2)).toBeNull()
})

test('an absence starts at the last visit and lasts until it has been shown', () => {
  storeLastSeen(ANA, NOON)
  expect(findAbsenceStart(ANA, NOON + AWAY_MS)).toBe(NOON)
  expect(findAbsenceStart(ANA, NOON + 2 * AWAY_MS)).toBe(NOON)
  storeLastSeen(ANA, NOON + 2 * AWAY_MS)
  expect(findAbsenceStart(ANA, NOON + 2 * AWAY_MS + 1)).toBeNull()
})

test('another player in the same browser has no absence, and ends that of the first', () => {
  storeLastSeen(ANA, NOON)
  expect(findAbsenceStart(BOB, NOON + 5 * AWAY_MS)).toBeNull()
  expect(findAbsenceStart(ANA, NOON + 6 * AWAY_MS)).toBeNull()
})

test('a clock that was set back, or an invalid stored value, causes no absence', () => {
  storeLastSeen(ANA, NOON)
  expect(findAbsenceStart(ANA, NOON - 5 * AWAY_MS)).toBeNull()
  expect(loadLastSeen(ANA)).toBe(NOON - 5 * AWAY_MS)
  localStorage.setItem('lastSeen', `${ANA} yesterday`)
  expect(findAbsenceStart(ANA, NOON)).toBeNull()
})
