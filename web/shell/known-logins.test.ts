import { expect, test } from 'vitest'
import { findNewLogins, parseKnownLogins } from './known-logins.ts'

const own = { id: 'own', current: true }
const other = { id: 'other', current: false }

test('the first visit of a browser announces no login, and a later one each that it has not seen', () => {
  expect(findNewLogins([own, other], null)).toEqual([])
  expect(findNewLogins([own, other], { wallet: 'w', ids: [] })).toEqual([other])
  expect(findNewLogins([own, other], { wallet: 'w', ids: ['other'] })).toEqual([])
})

test.each([null, 'x', '{}', '{"wallet":"v","ids":["a"]}', '{"wallet":"w","ids":1}', '[]'])(
  'what a browser remembers is not trusted: %j',
  (text) => {
    expect(parseKnownLogins(text, 'w')).toBeNull()
  },
)

test('ids that are not texts are left out', () => {
  expect(parseKnownLogins('{"wallet":"w","ids":["a",1]}', 'w')).toEqual({ wallet: 'w', ids: ['a'] })
})
