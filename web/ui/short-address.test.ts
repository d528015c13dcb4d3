import { expect, test } from 'vitest'
import { shortAddress } from './short-address.ts'

test('an address shows its first 6 and last 4 characters (S-24)', () => {
  expect(shortAddress('7xKXtgKjq3mPZ5vWc8nKp1vTq5sLd7uBaYe2gAsU')).toBe('7xKXtg…gAsU')
})

test('a short text is not shortened', () => {
  expect(shortAddress('short')).toBe('short')
})
