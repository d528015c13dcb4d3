import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { farmMessages } from './en-farm.ts'

test('a large harvest is short enough for a field of a phone, and rounded down', () => {
  expect(farmMessages.gain(cotton(1_859_999_999))).toBe('+1.85B')
  expect(farmMessages.gain(cotton(99_999_999))).toBe('+99,999,999')
  expect(farmMessages.gain(null)).toBe('+–')
})
