import { expect, test } from 'vitest'
import { newlySold } from './newly-sold.ts'

const offer = (id: string, status: string) => ({ id, status })

test('a listing that was offered a moment ago and is sold now is news, once', () => {
  const before = [offer('a', 'active'), offer('b', 'active'), offer('c', 'sold')]
  const now = [offer('a', 'sold'), offer('b', 'active'), offer('c', 'sold')]
  expect(newlySold(before, now)).toEqual([offer('a', 'sold')])
  expect(newlySold(now, now)).toEqual([])
})

test('what was sold before anybody looked, or taken back, is no news', () => {
  expect(newlySold(undefined, [offer('a', 'sold')])).toEqual([])
  expect(newlySold([offer('a', 'active')], [])).toEqual([])
  expect(newlySold([offer('a', 'active')], undefined)).toEqual([])
})
