import { expect, test } from 'vitest'
import { findPage } from './find-page.ts'

test.each([
  ['/', 'hero'],
  ['/myfarm', 'myFarm'],
  ['/terms/', 'terms'],
  ['/parcels', 'world'],
  ['/parcels/EU', 'continent'],
  ['/parcels/EU/north', 'notFound'],
  ['/no-such-page', 'notFound'],
] as const)('%s is an address of the page %s', (pathname, page) => {
  expect(findPage(pathname)).toBe(page)
})
