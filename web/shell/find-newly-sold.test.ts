import { expect, test } from 'vitest'
import { findNewlySold } from './find-newly-sold.ts'

const offer = (id: string, status: string) => ({ id, status })

test('a listing that was active before and is sold now is reported once', () => {
  const before = [offer('a', 'active'), offer('b', 'active'), offer('c', 'sold')]
  const now = [offer('a', 'sold'), offer('b', 'active'), offer('c', 'sold')]
  expect(findNewlySold(before, now)).toEqual([offer('a', 'sold')])
  expect(findNewlySold(now, now)).toEqual([])
})

test('a listing that was sold before the first response, or cancelled, is not reported', () => {
  expect(findNewlySold(undefined, [offer('a', 'sold')])).toEqual([])
  expect(findNewlySold([offer('a', 'active')], [])).toEqual([])
  expect(findNewlySold([offer('a', 'active')], undefined)).toEqual([])
})
