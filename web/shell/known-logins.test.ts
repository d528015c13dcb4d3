import { expect, test } from 'vitest'
import { findNewLogins, loginsToRemember, parseKnownLogins } from './known-logins.ts'

const own = { id: 'own', current: true }
const other = { id: 'other', current: false }

test('the first visit of a browser announces no login, and a later one each that it has not seen', () => {
  expect(findNewLogins([own, other], [])).toEqual([])
  expect(findNewLogins([own, other], ['of another player'])).toEqual([])
  expect(findNewLogins([own, other], ['own'])).toEqual([other])
  expect(findNewLogins([own, other], ['own', 'other'])).toEqual([])
})

test('a browser remembers all logins on its first visit, and later only its own', () => {
  expect(loginsToRemember([own, other], ['of another player'])).toEqual([own, other])
  expect(loginsToRemember([own, other], ['other'])).toEqual([own])
  expect(loginsToRemember([own, other], ['own'])).toEqual([])
})

test('a browser never announces a login that was made in it, however often the player logs in', () => {
  const earlier: string[] = []
  let known: readonly string[] = []
  for (const id of ['first', 'second', 'third', 'fourth']) {
    const logins = [{ id, current: true }, ...earlier.map((each) => ({ id: each, current: false }))]
    expect(findNewLogins(logins, known), id).toEqual([])
    known = [...known, ...loginsToRemember(logins, known).map((login) => login.id)]
    earlier.unshift(id)
  }
  expect(findNewLogins([{ id: 'fourth', current: true }, other], known)).toEqual([other])
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
