import { expect, test } from 'vitest'
import { findNewlySold } from './find-newly-sold.ts'

const offer = (id: string, status: string) => ({ id, status })

test('a listing that was offered a moment ago and is sold now is news, once', () => {
  const before = [offer('a', 'active'), offer('b', 'active'), offer('c', 'sold')]
  const now = [offer('a', 'sold'), offer('b', 'active'), offer('c', 'sold')]
  expect(findNewlySold(before, now)).toEqual([offer('a', 'sold')])
  expect(findNewlySold(now, now)).toEqual([])
})

test('what was sold before anybody looked, or taken back, is no news', () => {
  expect(findNewlySold(undefined, [offer('a', 'sold')])).toEqual([])
  expect(findNewlySold([offer('a', 'active')], [])).toEqual([])
  expect(findNewlySold([offer('a', 'active')], undefined)).toEqual([])
})
