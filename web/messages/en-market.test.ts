import { expect, test } from 'vitest'
import { marketMessages } from './en-market.ts'

test('a seller of whose sales only the newest are read is not given their number as the number of all', () => {
  expect(marketMessages.countMine(3, 0, false)).toBe('3 active')
  expect(marketMessages.countMine(3, 99, false)).toBe('3 active · 99 sold')
  expect(marketMessages.countMine(3, 100, true)).toBe('3 active · last 100 sold')
})
