import { expect, test } from 'vitest'
import { landMessages } from './en-land.ts'

test('an area has separators, and a dash if it is unknown', () => {
  expect(landMessages.km2(643_801)).toBe('643,801 km²')
  expect(landMessages.km2(0.44)).toBe('0.44 km²')
  expect(landMessages.km2(Number.NaN)).toBe('– km²')
})
