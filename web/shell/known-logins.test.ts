import { expect, test } from 'vitest'
import { findNewLogins, isFirstVisit, parseKnownLogins } from './known-logins.ts'

const own = { id: 'own', current: true }
const other = { id: 'other', current: false }

test('the first visit of a browser announces no login, and a later one each that it has not seen', () => {
  expect(findNewLogins([own, other], [])).toEqual([])
  expect(findNewLogins([own, other], ['of another player'])).toEqual([])
  expect(findNewLogins([own, other], ['own'])).toEqual([other])
  expect(findNewLogins([own, other], ['own', 'other'])).toEqual([])
})

test('a visit is the first if the browser knows none of the logins', () => {
  expect(isFirstVisit([own, other], ['of another player'])).toBe(true)
  expect(isFirstVisit([own, other], ['other'])).toBe(false)
})

test.each([null, 'x', '{}', '{"wallet":"w","ids":["a"]}', '1'])(
  'what a browser remembers is not trusted: %j',
  (text) => {
    expect(parseKnownLogins(text)).toEqual([])
  },
)

test('ids that are not texts are left out', () => {
  expect(parseKnownLogins('["a",1]')).toEqual(['a'])
})
